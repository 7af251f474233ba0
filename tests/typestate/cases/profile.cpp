// Misuses of Profile.
#include "qnnpp/backend/profile.hpp"

#include "qnnpp/backend/profile_file.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/graph/pipeline.hpp"

using namespace qnnpp;

// EXPECT: a profile has one owner; write std::move(profile)
Profile a_profile_is_not_copied(Profile& profile) {
#if MISUSE == 1
  return Profile(profile);
#else
  return Profile(std::move(profile));
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(profile), or use value_or_throw()
bool a_result_is_no_profile(const Backend<Htp>& backend) {
#if MISUSE == 2
  Profile profile = Profile::create(backend);
  return profile.records().empty();
#else
  auto profile = Profile::create(backend);
  return profile && profile->records().empty();
#endif
}

// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
bool a_profile_is_not_made_from_a_result(const Result<Backend<Htp>>& backend) {
#if MISUSE == 3
  return Profile::create(backend).has_value();
#else
  return backend && Profile::create(*backend).has_value();
#endif
}

// EXPECT: records() of a temporary would dangle; name the profile first
std::size_t the_records_of_a_temporary_profile_are_not_lent(Profile& profile) {
#if MISUSE == 4
  return std::move(profile).records().size();
#else
  return profile.records().size();
#endif
}

// EXPECT: native() of a temporary would dangle; name the profile first
c_api::ProfileHandle the_handle_of_a_temporary_profile_is_not_handed_out(Profile& profile) {
#if MISUSE == 5
  return std::move(profile).native();
#else
  return profile.native();
#endif
}

// EXPECT: close() consumes the profile; write std::move(profile).close()
bool a_profile_is_closed_as_an_rvalue(Profile profile) {
#if MISUSE == 6
  return profile.close().has_value();
#else
  return std::move(profile).close().has_value();
#endif
}

// EXPECT: a const profile cannot record; declare it without const
bool a_graph_is_not_executed_with_a_const_profile(Graph<Bound>& graph, Profile& profile) {
#if MISUSE == 7
  const Profile& fixed = profile;
  return graph.execute(fixed).has_value();
#else
  return graph.execute(profile).has_value();
#endif
}

// EXPECT: a temporary profile loses its records; name the profile first
bool a_graph_is_not_executed_with_a_temporary_profile(Graph<Bound>& graph, Profile& profile) {
#if MISUSE == 8
  return graph.execute(std::move(profile)).has_value();
#else
  return graph.execute(profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *profile, or use value_or_throw()
bool a_graph_is_not_executed_with_a_result(Graph<Bound>& graph, Result<Profile>& profile) {
#if MISUSE == 9
  return graph.execute(profile).has_value();
#else
  return profile && graph.execute(*profile).has_value();
#endif
}

// EXPECT: a const profile cannot record; declare it without const
bool a_pipeline_is_not_executed_with_a_const_profile(Pipeline& pipeline, Profile& profile) {
#if MISUSE == 10
  const Profile& fixed = profile;
  return pipeline.execute(fixed).has_value();
#else
  return pipeline.execute(profile).has_value();
#endif
}

// EXPECT: a temporary profile loses its records; name the profile first
bool a_pipeline_is_not_executed_with_a_temporary_profile(Pipeline& pipeline, Profile& profile) {
#if MISUSE == 11
  return pipeline.execute(std::move(profile)).has_value();
#else
  return pipeline.execute(profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *profile, or use value_or_throw()
bool a_pipeline_is_not_executed_with_a_result(Pipeline& pipeline, Result<Profile>& profile) {
#if MISUSE == 12
  return pipeline.execute(profile).has_value();
#else
  return profile && pipeline.execute(*profile).has_value();
#endif
}

// EXPECT: finalize() consumes the context; write std::move(context).finalize()
bool a_context_is_finalized_with_a_profile_as_an_rvalue(Context<Registered> context,
                                                        Profile& profile) {
#if MISUSE == 13
  return context.finalize(profile).has_value();
#else
  return std::move(context).finalize(profile).has_value();
#endif
}

// EXPECT: close() consumes the context; write std::move(context).close()
bool a_context_is_closed_with_a_profile_as_an_rvalue(Context<Finalized> context, Profile& profile) {
#if MISUSE == 14
  return context.close(profile).has_value();
#else
  return std::move(context).close(profile).has_value();
#endif
}

// EXPECT: finalize() consumes the graph; write std::move(graph).finalize()
bool a_graph_is_finalized_with_a_profile_as_an_rvalue(Graph<Composing> graph, Profile& profile) {
#if MISUSE == 15
  return graph.finalize(profile).has_value();
#else
  return std::move(graph).finalize(profile).has_value();
#endif
}

// EXPECT: a const profile cannot record; declare it without const
bool a_context_is_not_finalized_with_a_const_profile(Context<Registered> context,
                                                     Profile& profile) {
#if MISUSE == 16
  const Profile& fixed = profile;
  return std::move(context).finalize(fixed).has_value();
#else
  return std::move(context).finalize(profile).has_value();
#endif
}

// EXPECT: a temporary profile loses its records; name the profile first
bool a_context_is_not_finalized_with_a_temporary_profile(Context<Registered> context,
                                                         Profile& profile) {
#if MISUSE == 17
  return std::move(context).finalize(std::move(profile)).has_value();
#else
  return std::move(context).finalize(profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *profile, or use value_or_throw()
bool a_context_is_not_finalized_with_a_result(Context<Registered> context,
                                              Result<Profile>& profile) {
#if MISUSE == 18
  return std::move(context).finalize(profile).has_value();
#else
  return profile && std::move(context).finalize(*profile).has_value();
#endif
}

// EXPECT: a const profile cannot record; declare it without const
bool a_graph_is_not_finalized_with_a_const_profile(Graph<Composing> graph, Profile& profile) {
#if MISUSE == 19
  const Profile& fixed = profile;
  return std::move(graph).finalize(fixed).has_value();
#else
  return std::move(graph).finalize(profile).has_value();
#endif
}

// EXPECT: a temporary profile loses its records; name the profile first
bool a_graph_is_not_finalized_with_a_temporary_profile(Graph<Composing> graph, Profile& profile) {
#if MISUSE == 20
  return std::move(graph).finalize(std::move(profile)).has_value();
#else
  return std::move(graph).finalize(profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *profile, or use value_or_throw()
bool a_graph_is_not_finalized_with_a_result(Graph<Composing> graph, Result<Profile>& profile) {
#if MISUSE == 21
  return std::move(graph).finalize(profile).has_value();
#else
  return profile && std::move(graph).finalize(*profile).has_value();
#endif
}

// EXPECT: a profile file has one owner; write std::move(file)
ProfileFile a_profile_file_is_not_copied(ProfileFile& file) {
#if MISUSE == 22
  return ProfileFile(file);
#else
  return ProfileFile(std::move(file));
#endif
}

// EXPECT: this is a Result; test it and pass *std::move(file), or use value_or_throw()
bool a_result_is_no_profile_file(const Backend<Htp>& backend, const ProfileRecord& record) {
#if MISUSE == 23
  ProfileFile file = ProfileFile::create(backend, "run.bin");
  return file.write(record).has_value();
#else
  auto file = ProfileFile::create(backend, "run.bin");
  return file && file->write(record).has_value();
#endif
}

// EXPECT: close() consumes the file; write std::move(file).close()
bool a_profile_file_is_closed_as_an_rvalue(ProfileFile file) {
#if MISUSE == 24
  return file.close().has_value();
#else
  return std::move(file).close().has_value();
#endif
}

// EXPECT: a const profile cannot record; declare it without const
bool a_graph_is_not_executed_under_a_lease_with_a_const_profile(Graph<Bound>& graph,
                                                                SpillFillLease& lease,
                                                                Profile& profile) {
#if MISUSE == 25
  const Profile& fixed = profile;
  return graph.execute(lease, fixed).has_value();
#else
  return graph.execute(lease, profile).has_value();
#endif
}

// EXPECT: a temporary profile loses its records; name the profile first
bool a_graph_is_not_executed_under_a_lease_with_a_temporary_profile(Graph<Bound>& graph,
                                                                    SpillFillLease& lease,
                                                                    Profile& profile) {
#if MISUSE == 26
  return graph.execute(lease, std::move(profile)).has_value();
#else
  return graph.execute(lease, profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *profile, or use value_or_throw()
bool a_graph_is_not_executed_under_a_lease_with_a_result(Graph<Bound>& graph, SpillFillLease& lease,
                                                         Result<Profile>& profile) {
#if MISUSE == 27
  return graph.execute(lease, profile).has_value();
#else
  return profile && graph.execute(lease, *profile).has_value();
#endif
}

// EXPECT: a const profile cannot record; declare it without const
bool a_pipeline_is_not_executed_under_a_lease_with_a_const_profile(Pipeline& pipeline,
                                                                   SpillFillLease& lease,
                                                                   Profile& profile) {
#if MISUSE == 28
  const Profile& fixed = profile;
  return pipeline.execute(lease, fixed).has_value();
#else
  return pipeline.execute(lease, profile).has_value();
#endif
}

// EXPECT: a temporary profile loses its records; name the profile first
bool a_pipeline_is_not_executed_under_a_lease_with_a_temporary_profile(Pipeline& pipeline,
                                                                       SpillFillLease& lease,
                                                                       Profile& profile) {
#if MISUSE == 29
  return pipeline.execute(lease, std::move(profile)).has_value();
#else
  return pipeline.execute(lease, profile).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *profile, or use value_or_throw()
bool a_pipeline_is_not_executed_under_a_lease_with_a_result(Pipeline& pipeline,
                                                            SpillFillLease& lease,
                                                            Result<Profile>& profile) {
#if MISUSE == 30
  return pipeline.execute(lease, profile).has_value();
#else
  return profile && pipeline.execute(lease, *profile).has_value();
#endif
}
