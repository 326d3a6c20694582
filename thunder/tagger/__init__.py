"""A trained tagger over texts: windows, scores, thresholds, whole mentions.

``tagger.Tagger.load(folder).tag(text)`` returns spans with scores. What gives scores (torch, or
ONNX without torch) stands apart from decoding: ``backend`` has the protocol, ``decoding`` reads
what ``readings`` made of scores. Nothing here loads torch before a torch model is asked for.
"""
