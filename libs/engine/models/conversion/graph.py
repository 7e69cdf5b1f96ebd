"""A net of ONNX that can be changed, and changes that keep its function and make it faster in ONNX Runtime.

    pip install onnx==1.17.0 numpy
"""
from collections import defaultdict

import numpy as np
import onnx
from onnx import helper, numpy_helper

HARD_SWISH = {"alpha": 1 / 6, "beta": 0.5}
# Channels that the runtime keeps together, on processors with the widest vectors.
BLOCK = 16


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

    @classmethod
    def read(cls, path):
        return cls(onnx.load(path))

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

    def channel_count(self, name):
        """Of a value that a convolution made, with nothing between that mixes channels; else None."""
        made_by = {output: node for node in self.nodes for output in node.output}
        while name in made_by:
            node = made_by[name]
            if node.op_type == "Conv":
                return self.constants[node.input[1]].shape[0]
            if node.op_type not in ("Mul", "Add", "HardSigmoid", "BatchNormalization"):
                return None
            name = next(one for one in node.input if one in made_by)
        return None

    def weights(self, conv):
        weights = self.constants[conv.input[1]]
        bias = self.constants[conv.input[2]] if len(conv.input) > 2 else np.zeros(weights.shape[0])
        return weights.astype(np.float64), bias.astype(np.float64)

    def replace(self, dead, new):
        """Puts nodes in the place of others."""
        at = self.nodes.index(dead[0])
        self.nodes[at:at] = new
        gone = {id(node) for node in dead}
        self.nodes = [node for node in self.nodes if id(node) not in gone]
        self.index()

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


def is_dense(conv):
    return (attribute(conv, "group") or 1) == 1


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


def norm_for_shifts(graph):
    """x * number + number becomes a normalization, which the runtime carries out in the memory layout of convolutions. For a bare sum it would change the layout before and after."""
    for add in [node for node in graph.nodes if node.op_type == "Add"]:
        shift, x = graph.scalar(add)
        count = shift is not None and graph.channel_count(x)
        if not count:
            continue
        mul = next((node for node in graph.nodes if node.op_type == "Mul" and x in node.output), None)
        factor, before = graph.scalar(mul) if mul is not None and graph.only(x, "Add") is add else (None, None)
        inputs = {"scale": 1 if factor is None else factor, "bias": shift, "mean": 0, "variance": 1}
        name = add.output[0]
        for kind, value in inputs.items():
            graph.constants[f"{name}.{kind}"] = np.full(count, value, np.float32)
        source = x if factor is None else before
        norm = helper.make_node("BatchNormalization", [source, *(f"{name}.{kind}" for kind in inputs)], [name], epsilon=0.0)
        graph.replace([add] if factor is None else [add, mul], [norm])


def gate_once(graph):
    """x + x * gate becomes x * (gate + 1). A gate has one value for each channel."""
    for mul in [node for node in graph.nodes if node.op_type == "Mul"]:
        add = graph.only(mul.output[0], "Add")
        x = add is not None and next(name for name in add.input if name != mul.output[0])
        if not x or x not in mul.input:
            continue
        gate = next(name for name in mul.input if name != x)
        more = f"{mul.output[0]}.gate"
        graph.constants["gate.one"] = np.ones(1, np.float32)
        graph.replace([mul, add], [helper.make_node("Add", [gate, "gate.one"], [more]), helper.make_node("Mul", [x, more], list(add.output))])


def fill_blocks(graph):
    """Adds channels of zeros between convolutions until they fill blocks: the runtime changes the memory layout where a block is not full."""
    for conv in [node for node in graph.nodes if node.op_type == "Conv" and is_dense(node)]:
        weights, bias = graph.weights(conv)
        relu = graph.only(conv.output[0], "Relu")
        last = conv.output[0] if relu is None else relu.output[0]
        users = graph.consumers[last]
        readable = all(user.op_type == "Conv" and user.input[0] == last and is_dense(user) for user in users)
        more = -weights.shape[0] % BLOCK
        if not more or last in graph.outputs or not users or not readable:
            continue
        graph.set_weights(conv, np.pad(weights, [(0, more), (0, 0), (0, 0), (0, 0)]), np.pad(bias, (0, more)))
        for user in users:
            inside, its_bias = graph.weights(user)
            graph.set_weights(user, np.pad(inside, [(0, 0), (0, more), (0, 0), (0, 0)]), its_bias)
