import { randomUUID } from 'node:crypto'
import type { Auth, Exchange } from '../../contract/exchange.ts'
import type { Generation } from '../../contract/generation.ts'
import type { OtherExchange } from '../../contract/http-exchange.ts'
import type { Arrival } from '../../contract/pipeline.ts'
import type { Reply } from '../../contract/reply.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { AbortSource } from './abort-source.ts'

const NO_HEADERS: Exchange['headers'] = Object.freeze({})
const NOTHING = (): Reply => ({ status: 204, headers: {}, body: null })

/**
 * An exchange that is not an HTTP request: a message of a socket, a line of stdin, an event. The plugin that serves the
 * protocol passes the handler, so that no route is needed.
 */
export class PlainExchange extends AbortSource implements OtherExchange {
  readonly id: string
  readonly transport: OtherExchange['transport']
  readonly generation: Generation
  readonly headers: Exchange['headers']
  readonly address: string
  replyHeaders: Record<string, string> | null = null
  auth: Auth | null
  context: Record<string, unknown> = {}
  readonly work: {
    readonly handler: (ctx: OtherExchange) => MaybePromise<Reply>
    readonly renderError: Arrival['renderError']
    /** `authenticate` does not run. */
    readonly anonymous: boolean
  }

  constructor(
    generation: Generation,
    arrival: Arrival,
    handler: (ctx: OtherExchange) => MaybePromise<Reply> = NOTHING,
  ) {
    super()
    this.id = arrival.id ?? randomUUID()
    this.transport = arrival.transport
    this.generation = generation
    this.headers = arrival.headers ?? NO_HEADERS
    this.address = arrival.address ?? ''
    this.auth = arrival.auth ?? null
    this.work = { handler, renderError: arrival.renderError, anonymous: arrival.auth !== undefined }
  }
}

const workOf = ({ work }: PlainExchange): PlainExchange['work'] => work
/**
 * Stands in for the router in the pipeline of {@link PlainExchange}s. It returns the handler that the plugin passed to
 * `scope.pipeline.enter`.
 */
export const OWN_WORK = { find: workOf, match: workOf }
