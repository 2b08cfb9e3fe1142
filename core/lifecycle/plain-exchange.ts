import { randomUUID } from 'node:crypto'
import type { Auth, Exchange, Transport } from '../front/exchange.ts'
import type { Generation } from '../schema/generation.ts'
import { AbortSource } from './abort-source.ts'

/** What an exchange that is no HTTP request begins with. */
export interface PlainExchangeStart {
  /** Default: a new one. */
  readonly id?: string
  readonly transport: Transport
  readonly headers?: Exchange['headers']
  readonly address?: string
  readonly auth?: Auth | null
}

const NO_HEADERS: Exchange['headers'] = Object.freeze({})

/** An exchange that came another way than over HTTP: a message on a socket, a line on stdin, an event. */
export class PlainExchange extends AbortSource implements Exchange {
  readonly id: string
  readonly transport: Transport
  readonly generation: Generation
  readonly headers: Exchange['headers']
  readonly address: string
  auth: Auth | null
  context: Record<string, unknown> = {}

  constructor(generation: Generation, start: PlainExchangeStart) {
    super()
    this.id = start.id ?? randomUUID()
    this.transport = start.transport
    this.generation = generation
    this.headers = start.headers ?? NO_HEADERS
    this.address = start.address ?? ''
    this.auth = start.auth ?? null
  }
}
