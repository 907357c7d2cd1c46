# One folder is one target and one namespace.
#
#   primus_module(NAME data SOURCES a.cc TESTS a_test.cc DEPS base batch LIBS Arrow::arrow)
#
# NAME   target primus_<NAME> (alias primus::<NAME>); slashes become underscores
# DEPS   modules this one may include (checked by folder in tools/check_layers)
# LIBS   third-party targets
# TESTS  one executable primus_<NAME>_test, labelled LABEL (default: unit)
# TEST_DEPS, TEST_LIBS   what only the tests need
function(primus_module)
  cmake_parse_arguments(ARG "SIMD" "NAME;LABEL" "SOURCES;TESTS;DEPS;LIBS;TEST_DEPS;TEST_LIBS" ${ARGN})
  string(REPLACE "/" "_" id ${ARG_NAME})
  if(ARG_SOURCES)
    add_library(primus_${id} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_compile_options(primus_${id} PRIVATE ${PRIMUS_WARNINGS})
    if(ARG_SIMD)
      target_compile_options(primus_${id} PRIVATE ${PRIMUS_SIMD_FLAGS})
    endif()
  else()
    add_library(primus_${id} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(primus::${id} ALIAS primus_${id})
  target_include_directories(primus_${id} ${scope} ${CMAKE_SOURCE_DIR})
  foreach(dep IN LISTS ARG_DEPS)
    string(REPLACE "/" "_" dep_id ${dep})
    target_link_libraries(primus_${id} ${scope} primus::${dep_id})
  endforeach()
  target_link_libraries(primus_${id} ${scope} ${ARG_LIBS})
  if(ARG_TESTS)
    if(NOT ARG_LABEL)
      set(ARG_LABEL unit)
    endif()
    primus_test(NAME ${id}_test SOURCES ${ARG_TESTS} LABEL ${ARG_LABEL}
                DEPS ${ARG_NAME} ${ARG_TEST_DEPS} LIBS ${ARG_TEST_LIBS})
  endif()
endfunction()

# A test executable primus_<NAME> with GoogleTest's main, labelled for ctest.
function(primus_test)
  cmake_parse_arguments(ARG "" "NAME;LABEL;TIMEOUT" "SOURCES;DEPS;LIBS" ${ARGN})
  add_executable(primus_${ARG_NAME} ${ARG_SOURCES})
  target_compile_options(primus_${ARG_NAME} PRIVATE ${PRIMUS_WARNINGS})
  target_include_directories(primus_${ARG_NAME} PRIVATE ${CMAKE_SOURCE_DIR})
  foreach(dep IN LISTS ARG_DEPS)
    string(REPLACE "/" "_" dep_id ${dep})
    target_link_libraries(primus_${ARG_NAME} PRIVATE primus::${dep_id})
  endforeach()
  target_link_libraries(primus_${ARG_NAME} PRIVATE ${ARG_LIBS} GTest::gtest_main)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_test(NAME ${ARG_NAME} COMMAND primus_${ARG_NAME})
  set_tests_properties(${ARG_NAME} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT})
  if(PRIMUS_SANITIZE MATCHES thread)
    set_tests_properties(${ARG_NAME} PROPERTIES ENVIRONMENT
                         "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tools/tsan.supp")
  endif()
endfunction()

# Generated messages: primus_proto(NAME proto_wire SOURCES a.proto DEPS proto_rule)
# Included by their path from the root: "proto/wire/a.pb.h".
function(primus_proto)
  cmake_parse_arguments(ARG "" "NAME" "SOURCES;DEPS" ${ARGN})
  set(out ${CMAKE_BINARY_DIR}/gen)
  file(MAKE_DIRECTORY ${out})
  set(generated "")
  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE relative)
    string(REGEX REPLACE "\\.proto$" "" stem ${relative})
    add_custom_command(
      OUTPUT ${out}/${stem}.pb.cc ${out}/${stem}.pb.h
      COMMAND protobuf::protoc -I${CMAKE_SOURCE_DIR} --cpp_out=${out} ${relative}
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
      DEPENDS ${file}
      VERBATIM)
    list(APPEND generated ${out}/${stem}.pb.cc)
  endforeach()
  add_library(primus_${ARG_NAME} STATIC ${generated})
  add_library(primus::${ARG_NAME} ALIAS primus_${ARG_NAME})
  target_include_directories(primus_${ARG_NAME} SYSTEM PUBLIC ${out})
  target_link_libraries(primus_${ARG_NAME} PUBLIC protobuf::libprotobuf)
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(primus_${ARG_NAME} PUBLIC primus::${dep})
  endforeach()
endfunction()
