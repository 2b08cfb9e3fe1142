import type { JsonSchema } from '../../core/index.ts'

export interface HandlerOption {
  readonly event: string
  readonly target: string
}

/** `[observers]` */
export interface ObserverOptions {
  readonly enabled: boolean
  readonly backend: 'in-memory' | 'sqldb'
  readonly handlers: readonly HandlerOption[]
  readonly allow_hosts: readonly string[]
  readonly signing_secret?: string
  readonly chat_url?: string
  readonly max_concurrent_per_target: number
  readonly connect_timeout_ms: number
  readonly request_timeout_ms: number
  readonly sync_timeout_ms: number
  readonly max_payload_bytes: number
  readonly max_dead_letters: number
  readonly retention_hours: number
}

export const options: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    backend: {
      type: 'string',
      enum: ['in-memory', 'sqldb'],
      default: 'in-memory',
      description:
        '`in-memory`: events live and die with the process. `sqldb`: in tables of the PostgreSQL database that is served; nothing that was committed is lost.',
    },
    handlers: {
      type: 'array',
      default: [],
      description: 'Functions and views of the database that are called after a change.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['event', 'target'],
        properties: {
          event: {
            type: 'string',
            pattern: '^[a-z][a-z0-9_]*\\.(created|updated|deleted)$',
            description: '`<entity>.created`, `.updated`, `.deleted`; the entity in lower case or snake_case.',
          },
          target: {
            type: 'string',
            pattern: '^[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*)?$',
            description:
              'A function, which gets the event as its only argument (`jsonb`), or a view, whose rows are read.',
          },
        },
      },
      examples: [[{ event: 'user.created', target: 'fn_welcome' }]],
    },
    allow_hosts: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description:
        'Hosts, `host` or `host:port`, that may be called though their address is private, loopback or link-local.',
      examples: [['hooks.internal']],
    },
    signing_secret: {
      type: 'string',
      minLength: 16,
      writeOnly: true,
      description: 'Webhooks are signed with it: `X-Svc-Signature`, `X-Svc-Timestamp`.',
      examples: ['a long text that nobody can guess'],
    },
    chat_url: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Incoming webhook of the chat, of `chat` actions without a `url` of their own.',
      examples: ['https://chat.example.com/hooks/T0'],
    },
    max_concurrent_per_target: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'Calls of one host, or of one function, at once.',
    },
    connect_timeout_ms: {
      type: 'integer',
      minimum: 1,
      default: 5000,
      description: 'Until a target has to be connected.',
    },
    request_timeout_ms: {
      type: 'integer',
      minimum: 1,
      default: 30_000,
      description: 'Until a target has to have answered.',
    },
    sync_timeout_ms: {
      type: 'integer',
      minimum: 1,
      default: 5000,
      description: 'So long an answer waits for observers with `sync` at most; their actions go on.',
    },
    max_payload_bytes: { type: 'integer', minimum: 1, default: 1_048_576, description: 'Largest body that is sent.' },
    max_dead_letters: {
      type: 'integer',
      minimum: 0,
      default: 10_000,
      description: 'Dead letters that are kept; the oldest are dropped, and counted.',
    },
    retention_hours: {
      type: 'number',
      minimum: 0,
      default: 24,
      description: 'Delivered rows stay in the outbox for so long.',
    },
  },
}
