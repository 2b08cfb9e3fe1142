import { tmpdir } from 'node:os'
import type { Test } from 'tap'
import { serveCommand } from '../../../core/cli/serve/serve.ts'
import { createTestIo } from './helpers.ts'

export interface Served {
  readonly address: string
  readonly text: string
  query(
    document: string,
  ): Promise<{ readonly data?: unknown; readonly errors?: readonly { readonly message: string }[] }>
}

/** Serves the database until the test ends. */
export async function serve(
  t: Test,
  url: string,
  flags: Readonly<Record<string, string | boolean>> = {},
): Promise<Served> {
  const process = createTestIo(tmpdir())
  const ended = serveCommand.run({ positionals: [url], flags: { port: '0', ...flags } }, process.io)
  let failure: unknown = null
  ended.catch((error: unknown) => {
    failure = error
  })
  t.teardown(async () => {
    process.stop()
    await ended.catch(() => {})
  })
  while (!process.stdout().includes('Stop with Ctrl+C.')) {
    if (failure !== null) throw failure
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(process.stdout())![0]
  return {
    address,
    text: process.stdout(),
    async query(document) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ query: document })
      return (await fetch(`${address}/graphql`, { method: 'POST', headers, body })).json() as never
    },
  }
}
