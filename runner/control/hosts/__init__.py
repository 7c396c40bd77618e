"""One machine: its agent, the drives that the agent starts, their children, and the memory they take."""
