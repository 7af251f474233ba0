// Asserts at compile time that every declaration of this folder is what the QNN SDK at hand says.
//
// Include it in one source file of a program that has the SDK's include/QNN folder on its include
// path, after the SDK's own headers. Each struct's size and alignment, each field's place, size and
// kind, each enumerator, constant and table slot with its signature, and what the SDK's
// initialisers leave in the fields that select others, is compared with theirs. It is no part of a
// build without the SDK.
//
// What an SDK is too old to have is left out, by the versions in its headers: core 2.18 to 2.39,
// HTP 5.25 to 5.50, system 1.1 to 1.7 are known. A later SDK is compared with the latest known
// layout. The headers of HTP and of the system library are included where they are on the path;
// define QNNPP_VERIFY_CORE_ONLY to leave both out.
//
// A failure names ours and theirs: do not use that part of qnnpp with that SDK.
#pragma once

#include "qnnpp/platform.hpp"

// The version first: an older SDK lacks what the rest of this header names.
#include <QnnCommon.h>
#if QNN_API_VERSION_MAJOR != 2 || QNN_API_VERSION_MINOR < 18
#error "this QNN SDK is too old for qnnpp, as SDK 2.13 is; use SDK 2.25 (core API 2.18) or later"
#else

#include <QnnInterface.h>
#if __has_include(<QnnGlobalConfig.h>)
#include <QnnGlobalConfig.h>
#endif
#if __has_include(<QnnOpDef.h>)
#include <QnnOpDef.h>
#endif
#if __has_include(<QnnOpPackage.h>)
#define QNNPP_VERIFY_OP_PACKAGE
#include <QnnOpPackage.h>
#endif

#if !defined(QNNPP_VERIFY_CORE_ONLY) && __has_include(<HTP/QnnHtpCommon.h>)
#define QNNPP_VERIFY_HTP
#include <HTP/QnnHtpCommon.h>
#include <HTP/QnnHtpContext.h>
#include <HTP/QnnHtpDevice.h>
#include <HTP/QnnHtpGraph.h>
#include <HTP/QnnHtpMem.h>
#include <HTP/QnnHtpPerfInfrastructure.h>
#include <HTP/QnnHtpSystemContext.h>
#if __has_include(<HTP/QnnHtpProfile.h>)
#include <HTP/QnnHtpProfile.h>
#endif
#if __has_include(<HTP/QnnHtpProperty.h>)
#include <HTP/QnnHtpProperty.h>
#endif
#endif

#if !defined(QNNPP_VERIFY_CORE_ONLY) && __has_include(<Saver/QnnSaver.h>)
#define QNNPP_VERIFY_SAVER
#include <Saver/QnnSaver.h>
#endif

#if !defined(QNNPP_VERIFY_CORE_ONLY) && __has_include(<System/QnnSystemInterface.h>)
#define QNNPP_VERIFY_SYSTEM
#include <System/QnnSystemCommon.h>
#include <System/QnnSystemContext.h>
#include <System/QnnSystemInterface.h>
#if __has_include(<System/QnnSystemDlc.h>)
#include <System/QnnSystemDlc.h>
#endif
#if __has_include(<System/QnnSystemProfile.h>)
#include <System/QnnSystemProfile.h>
#endif
#if __has_include(<System/QnnSystemTensor.h>)
#include <System/QnnSystemTensor.h>
#endif
#endif

#include "qnnpp/abi/verify_sdk/same.hpp"

#define QNNPP_VERIFY_PARTS
#include "qnnpp/abi/verify_sdk/constants.hpp"
#include "qnnpp/abi/verify_sdk/contexts.hpp"
#include "qnnpp/abi/verify_sdk/objects.hpp"
#include "qnnpp/abi/verify_sdk/types.hpp"
#if defined(QNNPP_VERIFY_HTP)
#include "qnnpp/abi/verify_sdk/htp.hpp"
#include "qnnpp/abi/verify_sdk/htp_devices.hpp"
#endif
#if defined(QNNPP_VERIFY_SYSTEM)
#include "qnnpp/abi/verify_sdk/system.hpp"
#endif

#undef QNNPP_VERIFY_PARTS
#undef QNNPP_VERIFY_OP_PACKAGE
#undef QNNPP_VERIFY_SAVER
#undef QNNPP_VERIFY_HTP
#undef QNNPP_VERIFY_SYSTEM
#undef QNNPP_SAME_SIZE
#undef QNNPP_SAME_FIELD
#undef QNNPP_SAME_VALUE
#undef QNNPP_SAME_TEXT
#undef QNNPP_SAME_INIT
#endif
