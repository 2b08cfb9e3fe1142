import type { JsonSchema } from '../../core/doors/plugin.ts'
import type { HandlerOption } from './actions/handler.ts'
import type { BusOptions } from './bus/open-bus.ts'
import type { MailOptions } from './outgoing/mailer.ts'

/** Options of the section `[observers]`. */
export interface ObserverOptions extends BusOptions, MailOptions {
  readonly enabled: boolean
  readonly handlers: readonly HandlerOption[]
  readonly allow_hosts: readonly string[]
  readonly signing_secret?: string
  readonly webhook_ca_file?: string
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
      enum: ['in-memory', 'sqldb', 'kvstore', 'msgbus', 'mariadb'],
      default: 'in-memory',
      description:
        '`in-memory`: events live and die with the process. `sqldb`: in tables of the PostgreSQL database that is served; nothing that was committed is lost. `kvstore` (Redis), `msgbus` (NATS JetStream), `mariadb`: from those tables on to there.',
    },
    kvstore_url: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Redis of the backend `kvstore`: `redis://host:6379`, `rediss://…` for TLS.',
      examples: ['redis://127.0.0.1:6379'],
    },
    msgbus_url: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      environment: 'SVC_MSGBUS_URL',
      description: 'NATS of the backend `msgbus`, with JetStream; `tls://…` for TLS.',
      examples: ['nats://127.0.0.1:4222'],
    },
    mariadb_url: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'MariaDB or MySQL of the backend `mariadb`; `?ssl=true` for TLS.',
      examples: ['mysql://svc@127.0.0.1:3306/events'],
    },
    stream: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,47}$',
      default: 'svc_events',
      description: 'Stream or table there. Services with databases of their own need one each.',
    },
    subject_prefix: {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
      default: 'svc.mutation',
      description:
        'Subjects of the backend `msgbus` are `<prefix>.<entity>.<insert|update|delete|custom>`. One stream each.',
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
      examples: ['a long random text'],
    },
    webhook_ca_file: {
      type: 'string',
      minLength: 1,
      description: 'Certificates that webhooks and chats trust in place of those of Node, PEM, relative to svc.toml.',
      examples: ['certs/hooks-ca.pem'],
    },
    chat_url: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Incoming webhook of the chat, of `chat` actions without a `url` of their own.',
      examples: ['https://chat.example.com/hooks/T0'],
    },
    smtp_host: {
      type: 'string',
      minLength: 1,
      description: 'Server of `email` actions.',
      examples: ['mail.example.com'],
    },
    smtp_port: { type: 'integer', minimum: 1, maximum: 65_535, default: 587, description: 'Its port.' },
    smtp_tls: {
      type: 'string',
      enum: ['starttls', 'tls', 'none'],
      default: 'starttls',
      description:
        '`starttls`: encrypted before anything is said, or not at all. `tls`: from the first byte (port 465). `none`: in clear, without a password.',
    },
    smtp_user: { type: 'string', minLength: 1, description: 'Who logs in there.', examples: ['svc'] },
    smtp_password: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'With what.',
      examples: ['a random text'],
    },
    smtp_from: {
      type: 'string',
      minLength: 3,
      description: 'Address that mails come from.',
      examples: ['orders@example.com'],
    },
    smtp_ca_file: {
      type: 'string',
      minLength: 1,
      description: 'Certificates that are trusted in place of those of Node, PEM, relative to svc.toml.',
      examples: ['certs/mail-ca.pem'],
    },
    max_concurrent_per_target: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'Calls at once: of one action to one host, of one mail server, of one function.',
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
