/** Whether V8 has aborted a process for its heap was full. The signals an operator or the system sends are no such end. */
export const isOutOfMemory = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  code === 134 || ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS'].includes(signal ?? '')
