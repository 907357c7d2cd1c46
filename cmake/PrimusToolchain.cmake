# Compiler, linker and warning settings shared by all of our targets.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The base directory lets a second checkout reuse the first one's objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=time_macros,include_file_mtime,include_file_ctime ${CCACHE_PROGRAM})
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

set(PRIMUS_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)

set(PRIMUS_SANITIZE "" CACHE STRING "Sanitizers of this build, as in -fsanitize=")
if(PRIMUS_SANITIZE)
  add_compile_options(-fsanitize=${PRIMUS_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PRIMUS_SANITIZE})
endif()

# The numeric kernels need AVX2 and FMA; `primus` refuses to start on a processor without them.
set(PRIMUS_SIMD_FLAGS -march=x86-64-v3)
