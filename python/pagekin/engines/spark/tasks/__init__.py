"""What tasks do: the kernels, with files of the work folder or packets on both sides."""
