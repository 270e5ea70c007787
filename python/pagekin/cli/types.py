"""Types that the commands share."""

import argparse

__all__ = ["Commands"]

Commands = argparse._SubParsersAction[argparse.ArgumentParser]
