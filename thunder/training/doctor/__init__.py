"""Before a run starts: what is missing, what will fail, and what it will cost.

``examine`` looks at the machine and, with settings, at the corpus, the folders and the memory;
``bill`` counts steps, hours and gigabytes; ``finetuning`` has the same of fine-tuning. No weight,
checkpoint or setting is touched.
"""

from thunder.training.doctor.costs import Bill, bill
from thunder.training.doctor.examining import examine
from thunder.training.doctor.findings import Finding

__all__ = ["Bill", "Finding", "bill", "examine"]
