import { main } from '../../core/cli/main.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command of the CLI to its end in this process. */
export async function runCommand(cwd: string, ...argv: readonly string[]): Promise<Ran> {
  let out = ''
  let err = ''
  const code = await main(argv, {
    cwd,
    env: {},
    stdout(text) {
      out += text
    },
    stderr(text) {
      err += text
    },
    isTerminal: false,
    stopSignal: () => new AbortController().signal,
    onReload: () => () => {},
  })
  return { code, out, err }
}
