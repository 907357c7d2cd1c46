// The methods that node serves on its Unix socket: objects for everyone, containers for a master.
#pragma once

#include "primus/rpc/method.h"

namespace primus::wire {
class CreateObjectRequest;
class CreateObjectResponse;
class DeleteObjectRequest;
class DeleteObjectResponse;
class GetObjectRequest;
class GetObjectResponse;
class ListObjectsRequest;
class ListObjectsResponse;
class LoseContainerRequest;
class LoseContainerResponse;
class ObserveRequest;
class ObserveResponse;
class UpdateObjectRequest;
class UpdateObjectResponse;
class WatchObjectsRequest;
class WatchObjectsResponse;
}  // namespace primus::wire

namespace primus::api {

inline constexpr rpc::Method<wire::GetObjectRequest, wire::GetObjectResponse> kGetObject{
    .name = "primus.Node/GetObject"};
inline constexpr rpc::Method<wire::ListObjectsRequest, wire::ListObjectsResponse> kListObjects{
    .name = "primus.Node/ListObjects"};
inline constexpr rpc::Method<wire::CreateObjectRequest, wire::CreateObjectResponse> kCreateObject{
    .name = "primus.Node/CreateObject"};
inline constexpr rpc::Method<wire::UpdateObjectRequest, wire::UpdateObjectResponse> kUpdateObject{
    .name = "primus.Node/UpdateObject"};
inline constexpr rpc::Method<wire::DeleteObjectRequest, wire::DeleteObjectResponse> kDeleteObject{
    .name = "primus.Node/DeleteObject"};
inline constexpr rpc::Method<wire::WatchObjectsRequest, wire::WatchObjectsResponse> kWatchObjects{
    .name = "primus.Node/WatchObjects", .timeout = Seconds(10)};
inline constexpr rpc::Method<wire::ObserveRequest, wire::ObserveResponse> kObserve{
    .name = "primus.Node/Observe", .timeout = Seconds(5)};
inline constexpr rpc::Method<wire::LoseContainerRequest, wire::LoseContainerResponse>
    kLoseContainer{.name = "primus.Node/LoseContainer"};

}  // namespace primus::api
