import { PassThrough } from 'node:stream'
import type { App } from '../../../core/service/app.ts'
import type { Attempt, MatrixPart } from '../../conformance/matrix/cells.ts'

const VERSION = { 'mcp-protocol-version': '2025-11-25' }

/** `self { self { secret } }` as a path. */
const fieldsOf = (selection: string): string[] => ['id', selection.replace(/ \{ /g, '.').replace(/[ }]/g, '')]

const post = (app: App, { headers, address }: Attempt, method: string, params: object) =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...VERSION, ...headers },
    body: { jsonrpc: '2.0', id: 1, method, params },
    address,
  })

/** Columns of the matrix (test/conformance/matrix). Operations alone say there who may call. */
export const matrix: MatrixPart = {
  toml: '[svc.mcp]\nenabled = true\nrequire_auth = false\n',
  entrances: [
    {
      name: 'MCP call',
      routes: ['POST /mcp'],
      ask: (app, attempt) =>
        post(app, attempt, 'tools/call', { name: attempt.query, arguments: { fields: fieldsOf(attempt.selection) } }),
    },
    {
      name: 'MCP call that writes',
      routes: ['POST /mcp'],
      writes: true,
      ask: (app, attempt) =>
        post(app, attempt, 'tools/call', {
          name: attempt.mutation,
          arguments: { id: attempt.key, input: { note: attempt.mark }, fields: fieldsOf(attempt.selection) },
        }),
    },
    {
      name: 'MCP over stdio',
      enters: 'mcp',
      async ask(app, { query, selection, headers, address }) {
        // No web page reaches the standard input of a process.
        if (headers.origin !== undefined) return { status: 0, text: '' }
        const input = new PassThrough()
        const said = new Promise<string>((resolve) => {
          app.kernel.provided('mcp')?.serve({ input, write: resolve, headers, address, ended: () => {} })
        })
        const params = { name: query, arguments: { fields: fieldsOf(selection) } }
        input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
        return { status: 200, text: await said }
      },
    },
    {
      name: 'MCP list',
      routes: ['POST /mcp', 'GET /mcp', 'DELETE /mcp'],
      nothing: 'tells names of what the caller may call, and no rows',
      ask: (app, attempt) => post(app, attempt, 'tools/list', {}),
    },
  ],
}
