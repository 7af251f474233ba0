// Misuses of RegisteredTensors.
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

// EXPECT: a registration has one owner; write std::move(tensors)
RegisteredTensors a_registration_is_not_copied(RegisteredTensors& tensors) {
#if MISUSE == 1
  return RegisteredTensors(tensors);
#else
  return RegisteredTensors(std::move(tensors));
#endif
}

// EXPECT: close() consumes the registration; write std::move(tensors).close()
Result<void> a_registration_is_closed_as_an_rvalue(RegisteredTensors tensors) {
#if MISUSE == 2
  return tensors.close();
#else
  return std::move(tensors).close();
#endif
}

// EXPECT: the context is not finalized; register tensors after finalize()
bool a_tensor_is_not_registered_with_a_deferred_context(Context<Deferred>& early,
                                                        Context<Finalized>& final,
                                                        SharedBuffer<PerTensor>& buffer) {
#if MISUSE == 3
  return RegisteredTensors::create(early, buffer).has_value();
#else
  return RegisteredTensors::create(final, buffer).has_value();
#endif
}

// EXPECT: the context is not finalized; register tensors after finalize()
bool a_tensor_is_not_registered_with_a_queried_context(Context<Queried>& early,
                                                       Context<Finalized>& final,
                                                       SharedBuffer<MultiTensor>& buffer) {
#if MISUSE == 4
  return RegisteredTensors::create(early, buffer).has_value();
#else
  return RegisteredTensors::create(final, buffer).has_value();
#endif
}

// EXPECT: the context is not finalized; register tensors after finalize()
bool a_tensor_is_not_registered_with_a_registered_context(Context<Registered>& early,
                                                          Context<Finalized>& final,
                                                          SharedBuffer<DmaBuf>& buffer) {
#if MISUSE == 5
  return RegisteredTensors::create(early, buffer).has_value();
#else
  return RegisteredTensors::create(final, buffer).has_value();
#endif
}

// EXPECT: the context is not finalized; register tensors after finalize()
bool no_tensor_is_registered_by_name_with_a_deferred_context(Context<Deferred>& early,
                                                             Context<Finalized>& final,
                                                             SharedBuffer<PerTensor>& buffer) {
  const std::vector<std::string> names = {"image"};
#if MISUSE == 6
  return RegisteredTensors::create(early, buffer, names).has_value();
#else
  return RegisteredTensors::create(final, buffer, names).has_value();
#endif
}

// EXPECT: the context is not finalized; register tensors after finalize()
bool no_tensor_is_registered_by_name_with_a_queried_context(Context<Queried>& early,
                                                            Context<Finalized>& final,
                                                            SharedBuffer<MultiTensor>& buffer) {
  const std::vector<std::string> names = {"image"};
#if MISUSE == 7
  return RegisteredTensors::create(early, buffer, names).has_value();
#else
  return RegisteredTensors::create(final, buffer, names).has_value();
#endif
}

// EXPECT: the context is not finalized; register tensors after finalize()
bool no_tensor_is_registered_by_name_with_a_registered_context(Context<Registered>& early,
                                                               Context<Finalized>& final,
                                                               SharedBuffer<DmaBuf>& buffer) {
  const std::vector<std::string> names = {"image"};
#if MISUSE == 8
  return RegisteredTensors::create(early, buffer, names).has_value();
#else
  return RegisteredTensors::create(final, buffer, names).has_value();
#endif
}

// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
bool a_result_is_not_registered(const Context<Finalized>& context,
                                Result<SharedBuffer<PerTensor>> buffer) {
#if MISUSE == 9
  return RegisteredTensors::create(context, buffer).has_value();
#else
  return buffer && RegisteredTensors::create(context, *buffer).has_value();
#endif
}

// EXPECT: native() of a temporary would dangle; name the tensors first
Result<c_api::MemHandle> the_handle_of_a_temporary_tensor_is_not_handed_out(
    RegisteredTensors& tensors) {
#if MISUSE == 10
  return std::move(tensors).native("image");
#else
  return tensors.native("image");
#endif
}
