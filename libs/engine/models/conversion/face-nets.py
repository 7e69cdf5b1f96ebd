"""Makes face-embedding.onnx faster: min(relu(x), 6) becomes clip(x, 0, 6), which the runtime joins with the convolution before.

    pip install onnx==1.17.0 numpy && python face-nets.py FORMER_FILE OUT_FILE
"""
import sys
from pathlib import Path

import numpy as np
from graph import Graph
from onnx import helper


def clip_once(graph):
    graph.constants["clip.least"] = np.array(0, np.float32)
    for relu in [node for node in graph.nodes if node.op_type == "Relu"]:
        least = graph.only(relu.output[0], "Min")
        if least is not None:
            clip = helper.make_node("Clip", [relu.input[0], "clip.least", least.input[1]], list(least.output))
            graph.replace([relu, least], [clip])


embedding = Graph.read(Path(sys.argv[1]))
clip_once(embedding)
embedding.saved(Path(sys.argv[2]))
