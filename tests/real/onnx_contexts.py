"""Makes context binaries of FOLDER/model.onnx with ONNX Runtime, and the output of its session.

usage: onnx_contexts.py FOLDER LIBQNNHTP
Writes embedded.onnx, beside.onnx with its binary, x.npy and y.npy.
"""

import pathlib
import sys

import numpy
import onnxruntime
import onnxruntime_qnn

folder, library = pathlib.Path(sys.argv[1]), sys.argv[2]
onnxruntime.register_execution_provider_library("QNN", onnxruntime_qnn.get_library_path())
devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name.startswith("QNN")]
x = numpy.linspace(-1, 1, 36, dtype=numpy.float32).reshape(1, 4, 3, 3)
numpy.save(folder / "x.npy", x)
for mode, name in (("1", "embedded.onnx"), ("0", "beside.onnx")):
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("ep.context_enable", "1")
    options.add_session_config_entry("ep.context_embed_mode", mode)
    options.add_session_config_entry("ep.context_file_path", str(folder / name))
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    options.add_provider_for_devices(devices[:1], {"backend_path": library, "soc_model": "69", "htp_arch": "79"})
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options)
    numpy.save(folder / "y.npy", session.run(None, {"x": x})[0])
