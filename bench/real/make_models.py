"""Makes the models of bench/real.cpp: make_models.py FOLDER.

Writes small.onnx, medium.onnx and large.onnx: one, four and ten matrix products, each followed by a Relu. Has ONNX
Runtime's QNN execution provider prepare each for an SM8650: NAME_ctx_qnn.bin is its context binary, NAME_ctx.onnx a model
around it. All clients of the benchmark restore these binaries.
"""
import os
import sys

import numpy
import onnx
import onnxruntime
import onnxruntime_qnn
from onnx import TensorProto, helper, numpy_helper

SOC_MODEL = "57"  # SM8650


def model_of(name, columns, layers):
    """Returns a model of `layers` matrix products, each followed by a Relu, from x to y."""
    random = numpy.random.default_rng(1)
    nodes, weights, last = [], [], "x"
    for i in range(layers):
        values = random.normal(0, columns**-0.5, (columns, columns)).astype(numpy.float32)
        weights.append(numpy_helper.from_array(values, f"w{i}"))
        output = "y" if i + 1 == layers else f"r{i}"
        nodes.append(helper.make_node("MatMul", [last, f"w{i}"], [f"m{i}"]))
        nodes.append(helper.make_node("Relu", [f"m{i}"], [output]))
        last = output
    ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, [1, columns]) for end in "xy"]
    graph = helper.make_graph(nodes, name, ends[:1], ends[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    return model


def prepare(path, context_path):
    """Has the QNN execution provider make a context binary of a model."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    for key, value in {
        "ep.context_enable": "1",
        "ep.context_file_path": context_path,
        "ep.context_embed_mode": "0",
        "session.disable_cpu_ep_fallback": "1",
    }.items():
        options.add_session_config_entry(key, value)
    devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == "QNN"]
    options.add_provider_for_devices(
        devices[:1], {"backend_path": onnxruntime_qnn.get_qnn_htp_path(), "soc_model": SOC_MODEL})
    onnxruntime.InferenceSession(path, options)


def main():
    os.chdir(sys.argv[1])
    onnxruntime.set_default_logger_severity(3)
    onnxruntime.register_execution_provider_library("QNN", onnxruntime_qnn.get_library_path())
    for name, columns, layers in ("small", 64, 1), ("medium", 512, 4), ("large", 2048, 10):
        for old in f"{name}_ctx.onnx", f"{name}_ctx_qnn.bin":
            if os.path.exists(old):
                os.remove(old)
        onnx.save(model_of(name, columns, layers), f"{name}.onnx")
        prepare(f"{name}.onnx", f"{name}_ctx.onnx")
        if not os.path.exists(f"{name}_ctx_qnn.bin"):
            sys.exit(f"ONNX Runtime made no {name}_ctx_qnn.bin")


main()
