import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serverAudits } from 'graphql-http'
import t from 'tap'
import type { RootSelection } from '../../../core/front/operation.ts'
import { serve } from './serve.ts'

/** `__typename` is all that the audits ask for. */
function answer(roots: readonly RootSelection[]): string {
  return JSON.stringify(
    Object.fromEntries(roots.map((root) => [root.responseKey, root.kind === 'typename' ? root.typeName : null])),
  )
}

t.test('all audits of GraphQL over HTTP pass', async (t) => {
  const served = await serve(t, {
    resolve: (_exchange, { template }) => ({ data: answer(template.roots), errors: null }),
  })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { method = 'GET', url = '/' } = request
      const headers = request.headers as Record<string, string>
      const body = Buffer.concat(chunks).toString()
      const reply = await served.inject({ method, url, headers, ...(method === 'POST' ? { body } : {}) })
      response.writeHead(reply.status, reply.headers as Record<string, string>).end(reply.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo

  const audits = serverAudits({ url: `http://127.0.0.1:${port}/graphql` })
  t.equal(audits.length, 61)
  for (const audit of audits) {
    const result = await audit.fn()
    t.equal(result.status, 'ok', `${audit.id} ${audit.name}${'reason' in result ? `: ${result.reason}` : ''}`)
  }
})
