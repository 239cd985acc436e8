//! What a plan costs: RAM and wire exactly, flash and cycles modelled.
