#!/usr/bin/env python3
"""Makes a context binary of an ONNX model with ONNX Runtime and Qualcomm's library for x86-64.

Writes MODEL_ctx.onnx, which names the binary beside it, inputs/NAME.npy with noise for each input, and outputs/NAME.npy
with what the session of ONNX Runtime computes from them. Needs the packages onnxruntime-qnn and onnx.
"""

import argparse
import pathlib

import numpy
import onnx
import onnxruntime
import onnxruntime_qnn


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path, help="the model, an ONNX file")
    parser.add_argument("--arch", default="73", help="Hexagon architecture of the chip (default: 73)")
    parser.add_argument("--shape", action="append", default=[], metavar="INPUT=D,D,...",
                        help="shape of an input that has none: QNN needs every dimension; repeatable")
    arguments = parser.parse_args()

    model = onnx.load(arguments.model)
    inputs = {each.name: each.type.tensor_type.shape.dim for each in model.graph.input}
    for shape in arguments.shape:
        name, _, sizes = shape.partition("=")
        for dimension, size in zip(inputs[name], sizes.split(","), strict=True):
            dimension.dim_value = int(size)

    onnxruntime.register_execution_provider_library("QNNExecutionProvider", onnxruntime_qnn.get_library_path())
    devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == "QNNExecutionProvider"]
    options = onnxruntime.SessionOptions()
    options.add_provider_for_devices(devices, {
        "backend_path": onnxruntime_qnn.get_qnn_htp_path(),
        "htp_arch": arguments.arch,
        "offload_graph_io_quantization": "0",  # The binary takes and returns what the model does.
    })
    # The whole model becomes one graph of the HTP, or an error says which operation does not.
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    options.add_session_config_entry("ep.context_enable", "1")
    options.add_session_config_entry("ep.context_embed_mode", "0")
    options.add_session_config_entry("ep.context_file_path", f"{arguments.model.stem}_ctx.onnx")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)

    types = {"tensor(float)": numpy.float32, "tensor(float16)": numpy.float16, "tensor(int32)": numpy.int32,
             "tensor(int64)": numpy.int64, "tensor(uint8)": numpy.uint8, "tensor(bool)": numpy.bool_}
    random = numpy.random.default_rng(0)
    inputs = {each.name: random.random(each.shape, numpy.float32).astype(types[each.type])
              for each in session.get_inputs()}
    outputs = dict(zip([each.name for each in session.get_outputs()], session.run(None, inputs)))
    for folder, tensors in (("inputs", inputs), ("outputs", outputs)):
        pathlib.Path(folder).mkdir(exist_ok=True)
        for name, tensor in tensors.items():
            numpy.save(f"{folder}/{name.replace('/', '_')}.npy", tensor)
            print(f"{folder}/{name.replace('/', '_')}.npy: {tensor.dtype} {list(tensor.shape)}")


if __name__ == "__main__":
    main()
