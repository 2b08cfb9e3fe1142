import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../core/service/app.ts'
import type { Attempt, MatrixPart, Told } from '../../conformance/matrix/cells.ts'
import { fieldsOf } from '../rest/matrix.ts'
import { urlOf } from '../subscriptions/matrix.ts'

const ask =
  (method: 'GET' | 'POST', url: string) =>
  (app: App, { query, selection, headers, address }: Attempt) => {
    const text = `{ ${query} { id ${selection} } }`
    const accept = { ...headers, accept: 'text/event-stream' }
    return method === 'GET'
      ? app.inject({ method, url: `${url}?query=${encodeURIComponent(text)}`, headers: accept, address })
      : app.inject({ method, url, headers: accept, body: { query: text }, address })
  }

/** Of a stream all that it is told of changes that come about meanwhile. */
async function hear(
  app: App,
  { headers, address, patienceMs, touch }: Attempt,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Told> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const all = { ...headers, ...type, accept: 'text/event-stream' }
  const asked = request(`${await urlOf(app)}${path}`, { method, headers: all, localAddress: address })
  let told = ''
  let status = 0
  let isOver = false
  const over = (): void => {
    isOver = true
  }
  asked.on('error', over)
  asked.on('response', (response) => {
    status = response.statusCode ?? 0
    response.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk
    })
    response.on('end', over).on('error', over)
  })
  asked.end(body === undefined ? undefined : JSON.stringify(body))
  const end = Date.now() + patienceMs
  while (!isOver && !/^data: ./m.test(told) && Date.now() < end) {
    await sleep(30)
    await touch()
  }
  asked.destroy()
  return { status, text: told }
}

/** Columns of the matrix (test/conformance/matrix): operations, and what happens, over server-sent events. */
export const matrix: MatrixPart = {
  entrances: [
    { name: 'SSE POST', routes: ['POST /graphql/stream'], ask: ask('POST', '/graphql/stream') },
    { name: 'SSE GET', routes: ['GET /graphql/stream'], ask: ask('GET', '/graphql/stream') },
    {
      name: 'SSE subscription',
      routes: ['POST /graphql/stream', 'POST /graphql'],
      ask: (app, attempt) =>
        hear(app, attempt, 'POST', '/graphql/stream', {
          query: `subscription { ${attempt.subscription} { id ${attempt.selection} } }`,
        }),
    },
    {
      name: 'REST changes',
      restKinds: ['stream'],
      ask: (app, attempt) => hear(app, attempt, 'GET', `/rest/v1/${attempt.query}/stream?${fieldsOf(attempt)}`),
    },
  ],
}
