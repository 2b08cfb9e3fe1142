import type { CommandIo } from '../../../core/cli/command/command.ts'

/** A process around a command that runs in this one. */
export function createTestIo(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const stop = new AbortController()
  const reloads = new Set<() => void>()
  let stdout = ''
  let stderr = ''
  const io: CommandIo = {
    cwd,
    env,
    isTerminal: false,
    stdout(text) {
      stdout += text
    },
    stderr(text) {
      stderr += text
    },
    stopSignal: () => stop.signal,
    onReload(listener) {
      reloads.add(listener)
      return () => reloads.delete(listener)
    },
  }
  return {
    io,
    stop: () => stop.abort(),
    reload: () => {
      for (const listener of reloads) listener()
    },
    stdout: () => stdout,
    stderr: () => stderr,
  }
}
