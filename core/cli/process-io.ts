import type { CommandIo } from './command.ts'

/** The real process around a command. */
export function createProcessIo(): CommandIo {
  let stop: AbortController | null = null
  return {
    isProcess: true,
    cwd: process.cwd(),
    env: process.env,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    stopSignal() {
      if (stop === null) {
        stop = new AbortController()
        for (const signal of ['SIGINT', 'SIGTERM'] as const)
          process.on(signal, () => onStop(stop as AbortController, signal))
      }
      return stop.signal
    },
    onReload(listener) {
      // Windows has no SIGUSR1: Node takes the listener and never calls it.
      process.on('SIGUSR1', listener)
      return () => process.off('SIGUSR1', listener)
    },
    onFault(listener) {
      // Node raises a rejection that no code handled as an uncaught exception.
      process.on('uncaughtException', listener)
      return () => process.off('uncaughtException', listener)
    },
  }
}

/** The second signal does not wait for anything. The exit code is what a shell gives for a killed process. */
function onStop(stop: AbortController, signal: 'SIGINT' | 'SIGTERM'): void {
  if (stop.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143)
  stop.abort(signal)
}
