"""Models for machines without torch: ONNX, and int8."""
