import type { JsonSchema } from '../../core/doors/plugin.ts'
import type { ConnectionOptions } from './connection/connection-parts.ts'
import type { HookOptions } from './hooks/lifecycle-hooks.ts'

/** Options of the section `[subscriptions]`. */
export interface SubscriptionsOptions extends ConnectionOptions {
  readonly max_different_per_connection: number
  readonly max_different_per_caller: number
  readonly reads_at_once: number
  readonly ping_interval_ms: number
  readonly recheck_secs: number
  readonly deletes_past_rls: boolean
  readonly hooks: HookOptions
}

const url = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  writeOnly: true,
  description,
  examples: ['https://auth.example.com/subscriptions'],
})

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    max_subscriptions_per_connection: {
      type: 'integer',
      minimum: 1,
      description: 'Subscriptions of one WebSocket connection at once; one more is an error. Default: no limit.',
      examples: [50],
    },
    max_different_per_connection: {
      type: 'integer',
      minimum: 1,
      default: 200,
      description:
        'Different subscriptions of one connection at once; one more is an error. Each costs a read after an event, equal ones share it and count once.',
    },
    max_different_per_caller: {
      type: 'integer',
      minimum: 1,
      default: 1000,
      description:
        'Different subscriptions and streams of one caller at once, over all connections to this process: of a subject, of an anonymous caller of its address.',
    },
    reads_at_once: {
      type: 'integer',
      minimum: 1,
      default: 8,
      description:
        'Reads for subscribers at once, in this process. Further ones wait, and requests are served between them; events that come meanwhile are read together.',
    },
    init_timeout_ms: {
      type: 'integer',
      minimum: 1,
      default: 5000,
      description: 'A connection that has not sent `connection_init` by then is closed with 4408.',
    },
    ping_interval_ms: {
      type: 'integer',
      minimum: 100,
      default: 30_000,
      description: 'Interval of the pings to clients. A client that has not answered by the next ping is disconnected.',
    },
    recheck_secs: {
      type: 'integer',
      minimum: 1,
      default: 30,
      description:
        'The credential of a connection is verified again so often. Revocations of this service and the end of a token are seen within a second.',
    },
    max_message_bytes: {
      type: 'integer',
      minimum: 1024,
      default: 1_048_576,
      description: 'Largest message that a client may send.',
    },
    max_buffered_bytes: {
      type: 'integer',
      minimum: 1024,
      default: 1_048_576,
      description: 'What may wait for a slow client. A subscription that wants to add more ends with EVENTS_LOST.',
    },
    deletes_past_rls: {
      type: 'boolean',
      default: false,
      description:
        'With session variables in force the database may hide rows by itself, and of a row that is gone it cannot be asked: subscribers are not told of it. `true`: the rules of the schema alone decide.',
    },
    hooks: {
      type: 'object',
      additionalProperties: false,
      description: 'Called with POST at turns of a connection. Anything but 2xx in time refuses.',
      default: {},
      properties: {
        on_connect: url('Called at `connection_init` with its payload, including the credential, as `params`.'),
        on_subscribe: url('Called before a subscription begins.'),
        on_disconnect: url('Called after the end of an accepted connection.'),
        timeout_ms: {
          type: 'integer',
          minimum: 1,
          default: 500,
          description: 'A hook that has not answered by then refuses.',
        },
      },
    },
  },
}
