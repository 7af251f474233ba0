// Asserts at compile time that every declaration of this folder equals the declaration in your QNN
// SDK.
//
// Include it in one source file of a program that has the SDK's include/QNN folder on its include
// path, after the SDK's own headers. It compares the size and alignment of structs; the offset,
// size and kind of fields; enumerators and constants; table slots with their signatures; and the
// values of the selecting fields after the SDK's initializers. Builds without the SDK do not use
// this header.
//
// It skips items that the SDK is too old to have, by the versions in its headers. Known versions:
// core 2.18 to 2.40, HTP 5.25 to 5.51, system 1.1 to 1.7. A later SDK is compared with the latest
// known layout. The headers of HTP and of the system library are included if they are on the path;
// define QNNPP_VERIFY_CORE_ONLY to skip both.
//
// A failed assertion names both declarations. Do not use that part of qnnpp with that SDK.
#pragma once

#include "qnnpp/platform.hpp"

// Checks the version first: older SDKs lack names that this header uses.
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
#include "qnnpp/abi/verify_sdk/all.hpp"

#undef QNNPP_VERIFY_PARTS
#undef QNNPP_VERIFY_OP_PACKAGE
#undef QNNPP_VERIFY_SAVER
#undef QNNPP_VERIFY_HTP
#undef QNNPP_VERIFY_SYSTEM
#undef QNNPP_SAME_SIZE
#undef QNNPP_SAME_PLACE
#undef QNNPP_SAME_FIELD
#undef QNNPP_SAME_VALUE
#undef QNNPP_SAME_TEXT
#undef QNNPP_SAME_INIT
#endif
