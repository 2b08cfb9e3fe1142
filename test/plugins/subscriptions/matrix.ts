import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { App } from '../../../core/service/app.ts'
import type { Attempt, MatrixPart, Told } from '../../conformance/matrix/cells.ts'

const urls = new WeakMap<App, Promise<string>>()
/** Where the service of the matrix listens. */
export const urlOf = (app: App): Promise<string> => {
  const known = urls.get(app) ?? Promise.resolve(app.listen()).then(String)
  urls.set(app, known)
  return known
}

/** All that the socket says, until it has answered, or closes. A cell has an address of its own on this machine. */
async function ask(app: App, { query, selection, headers, address }: Attempt): Promise<Told> {
  const url = `${(await urlOf(app)).replace('http', 'ws')}/ws`
  const socket = new WebSocket(url, ['graphql-transport-ws'], { headers, localAddress: address })
  const told: string[] = []
  await new Promise<void>((resolve) => {
    socket.on('open', () => socket.send('{"type":"connection_init"}'))
    socket.on('message', (data) => {
      const text = String(data)
      told.push(text)
      const { type } = JSON.parse(text) as { readonly type: string }
      const payload = { query: `{ ${query} { id ${selection} } }` }
      if (type === 'connection_ack') socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }))
      if (type === 'complete' || type === 'error') socket.close()
    })
    socket.on('error', (error) => told.push(String(error)))
    socket.on('close', (code, reason) => {
      told.push(`${code} ${reason}`)
      resolve()
    })
  })
  return { status: 0, text: told.join('\n') }
}

/** Of a subscription all that it is told of changes that come about meanwhile. */
async function hear(app: App, attempt: Attempt): Promise<Told> {
  const { subscription, selection, headers, address, patienceMs, touch } = attempt
  const url = `${(await urlOf(app)).replace('http', 'ws')}/ws`
  const socket = new WebSocket(url, ['graphql-transport-ws'], { headers, localAddress: address })
  const told: string[] = []
  let isOver = false
  socket.on('open', () => socket.send('{"type":"connection_init"}'))
  socket.on('message', (data) => {
    const text = String(data)
    const { type } = JSON.parse(text) as { readonly type: string }
    const payload = { query: `subscription { ${subscription} { id ${selection} } }` }
    if (type === 'connection_ack') socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }))
    else if (type !== 'ping') told.push(text)
    if (type === 'error') socket.close()
  })
  socket.on('error', (error) => told.push(String(error)))
  socket.on('close', (code, reason) => {
    told.push(`${code} ${reason}`)
    isOver = true
  })
  const end = Date.now() + patienceMs
  while (told.length === 0 && Date.now() < end) {
    await sleep(30)
    if (!isOver) await touch()
  }
  socket.terminate()
  return { status: 0, text: told.join('\n') }
}

/** Columns of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  entrances: [
    { name: 'WebSocket', upgrades: ['/ws', '/subscriptions', '/graphql'], enters: 'subscriptions', ask },
    { name: 'subscription', upgrades: ['/ws', '/subscriptions', '/graphql'], ask: hear },
  ],
}
