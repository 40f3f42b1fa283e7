package dev.leat.testkit;

import alluxio.AlluxioURI;
import alluxio.client.file.FileInStream;
import alluxio.client.file.FileOutStream;
import alluxio.client.file.FileSystem;
import alluxio.client.file.ListStatusPartialResult;
import alluxio.client.file.URIStatus;
import alluxio.conf.AlluxioConfiguration;
import alluxio.exception.AlluxioException;
import alluxio.grpc.CancelSyncMetadataPResponse;
import alluxio.grpc.CheckAccessPOptions;
import alluxio.grpc.CreateDirectoryPOptions;
import alluxio.grpc.CreateFilePOptions;
import alluxio.grpc.DeletePOptions;
import alluxio.grpc.ExistsPOptions;
import alluxio.grpc.FreePOptions;
import alluxio.grpc.GetStatusPOptions;
import alluxio.grpc.GetSyncProgressPResponse;
import alluxio.grpc.JobProgressReportFormat;
import alluxio.grpc.ListStatusPOptions;
import alluxio.grpc.ListStatusPartialPOptions;
import alluxio.grpc.MountPOptions;
import alluxio.grpc.OpenFilePOptions;
import alluxio.grpc.RenamePOptions;
import alluxio.grpc.ScheduleAsyncPersistencePOptions;
import alluxio.grpc.SetAclAction;
import alluxio.grpc.SetAclPOptions;
import alluxio.grpc.SetAttributePOptions;
import alluxio.grpc.SyncMetadataAsyncPResponse;
import alluxio.grpc.SyncMetadataPOptions;
import alluxio.grpc.SyncMetadataPResponse;
import alluxio.grpc.UnmountPOptions;
import alluxio.job.JobDescription;
import alluxio.job.JobRequest;
import alluxio.security.authorization.AclEntry;
import alluxio.wire.BlockLocationInfo;
import alluxio.wire.MountPointInfo;
import alluxio.wire.SyncPointInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A client that can nothing: the calls that the fake does not know fail by name, so that an adapter
 * cannot come to rely on what was never tested.
 */
abstract class UnsupportedAlluxioClient implements FileSystem {

  private static UnsupportedOperationException unsupported(String call) {
    return new UnsupportedOperationException("InMemoryAlluxio does not know FileSystem." + call);
  }

  @Override
  public void checkAccess(AlluxioURI path, CheckAccessPOptions options) {
    throw unsupported("checkAccess");
  }

  @Override
  public void createDirectory(AlluxioURI path, CreateDirectoryPOptions options) {
    throw unsupported("createDirectory");
  }

  @Override
  public FileOutStream createFile(AlluxioURI path, CreateFilePOptions options)
      throws IOException, AlluxioException {
    throw unsupported("createFile");
  }

  @Override
  public void delete(AlluxioURI path, DeletePOptions options) throws IOException, AlluxioException {
    throw unsupported("delete");
  }

  @Override
  public boolean exists(AlluxioURI path, ExistsPOptions options) {
    throw unsupported("exists");
  }

  @Override
  public void free(AlluxioURI path, FreePOptions options) {
    throw unsupported("free");
  }

  @Override
  public List<BlockLocationInfo> getBlockLocations(URIStatus status) {
    throw unsupported("getBlockLocations");
  }

  @Override
  public AlluxioConfiguration getConf() {
    throw unsupported("getConf");
  }

  @Override
  public URIStatus getStatus(AlluxioURI path, GetStatusPOptions options)
      throws IOException, AlluxioException {
    throw unsupported("getStatus");
  }

  @Override
  public void iterateStatus(
      AlluxioURI path, ListStatusPOptions options, Consumer<? super URIStatus> argument)
      throws IOException, AlluxioException {
    throw unsupported("iterateStatus");
  }

  @Override
  public List<URIStatus> listStatus(AlluxioURI path, ListStatusPOptions options) {
    throw unsupported("listStatus");
  }

  @Override
  public ListStatusPartialResult listStatusPartial(
      AlluxioURI path, ListStatusPartialPOptions options) {
    throw unsupported("listStatusPartial");
  }

  @Override
  public void loadMetadata(AlluxioURI path, ListStatusPOptions options) {
    throw unsupported("loadMetadata");
  }

  @Override
  public void mount(AlluxioURI path, AlluxioURI other, MountPOptions options) {
    throw unsupported("mount");
  }

  @Override
  public void updateMount(AlluxioURI path, MountPOptions options) {
    throw unsupported("updateMount");
  }

  @Override
  public Map<String, MountPointInfo> getMountTable(boolean flag)
      throws IOException, AlluxioException {
    throw unsupported("getMountTable");
  }

  @Override
  public List<SyncPointInfo> getSyncPathList() {
    throw unsupported("getSyncPathList");
  }

  @Override
  public FileInStream openFile(AlluxioURI path, OpenFilePOptions options) {
    throw unsupported("openFile");
  }

  @Override
  public FileInStream openFile(URIStatus status, OpenFilePOptions options) {
    throw unsupported("openFile");
  }

  @Override
  public void persist(AlluxioURI path, ScheduleAsyncPersistencePOptions options) {
    throw unsupported("persist");
  }

  @Override
  public void rename(AlluxioURI path, AlluxioURI other, RenamePOptions options)
      throws IOException, AlluxioException {
    throw unsupported("rename");
  }

  @Override
  public AlluxioURI reverseResolve(AlluxioURI path) {
    throw unsupported("reverseResolve");
  }

  @Override
  public void setAcl(
      AlluxioURI path, SetAclAction argument, List<AclEntry> other, SetAclPOptions options) {
    throw unsupported("setAcl");
  }

  @Override
  public void startSync(AlluxioURI path) {
    throw unsupported("startSync");
  }

  @Override
  public void stopSync(AlluxioURI path) {
    throw unsupported("stopSync");
  }

  @Override
  public void setAttribute(AlluxioURI path, SetAttributePOptions options) {
    throw unsupported("setAttribute");
  }

  @Override
  public void unmount(AlluxioURI path, UnmountPOptions options) {
    throw unsupported("unmount");
  }

  @Override
  public void needsSync(AlluxioURI path) {
    throw unsupported("needsSync");
  }

  @Override
  public Optional<String> submitJob(JobRequest argument) {
    throw unsupported("submitJob");
  }

  @Override
  public boolean stopJob(JobDescription argument) {
    throw unsupported("stopJob");
  }

  @Override
  public String getJobProgress(
      JobDescription argument, JobProgressReportFormat other, boolean flag) {
    throw unsupported("getJobProgress");
  }

  @Override
  public SyncMetadataPResponse syncMetadata(AlluxioURI path, SyncMetadataPOptions options) {
    throw unsupported("syncMetadata");
  }

  @Override
  public SyncMetadataAsyncPResponse syncMetadataAsync(
      AlluxioURI path, SyncMetadataPOptions options) {
    throw unsupported("syncMetadataAsync");
  }

  @Override
  public GetSyncProgressPResponse getSyncProgress(long id) {
    throw unsupported("getSyncProgress");
  }

  @Override
  public CancelSyncMetadataPResponse cancelSyncMetadata(long id) {
    throw unsupported("cancelSyncMetadata");
  }
}
