import type { JsonSchema } from '../../core/doors/plugin.ts'
import type { HttpOptions } from './http/http-parts.ts'
import type { StdioOptions } from './stdio/set-up-stdio.ts'
import type { ToolOptions } from './tools/tools-of-schema.ts'

/** Options of the section `[svc.mcp]`, validated and filled with their defaults. */
export interface McpOptions extends ToolOptions, HttpOptions, StdioOptions {
  readonly enabled: boolean
  readonly transport: 'http' | 'stdio' | 'both'
  readonly instructions?: string
  readonly list_page_size: number
}

const names = { type: 'array', items: { type: 'string', minLength: 1 }, default: [] }

const curated: JsonSchema = {
  type: 'object',
  required: ['name', 'operation'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$', description: 'Name of the tool.' },
    operation: { type: 'string', minLength: 1, description: 'Query or mutation that it calls.' },
    title: { type: 'string', minLength: 1, description: 'What people read.' },
    description: {
      type: 'string',
      minLength: 1,
      description: 'What the model reads. Default: that of the operation.',
    },
    arguments: {
      type: 'object',
      default: {},
      description: 'Arguments with these values in every call; agents do not see them.',
    },
    hide: { ...names, description: 'Arguments that agents do not see and cannot give.' },
    fields: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      description: 'What every call answers; agents choose no fields.',
    },
  },
}

export const options: JsonSchema = {
  type: 'object',
  description: 'Tools for agents.',
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Adds the plugin to the list.' },
    transport: {
      type: 'string',
      enum: ['http', 'stdio', 'both'],
      default: 'http',
      description:
        '`http`: at `path`. `stdio`: standard input and output of the process. `svc run --mcp-stdio` is stdio alone.',
    },
    path: {
      type: 'string',
      pattern: '^(/[A-Za-z0-9._~-]+)+$',
      default: '/mcp',
      description: 'Path of the HTTP endpoint.',
    },
    require_auth: {
      type: 'boolean',
      default: true,
      description: 'Every message wants a credential, as GraphQL takes it, whatever the operation behind it wants.',
    },
    include: { ...names, description: 'Only these queries and mutations are tools. Empty: all are.' },
    exclude: { ...names, description: 'Queries and mutations that are no tools. Wins over `include`.' },
    tools: {
      type: 'array',
      default: [],
      items: curated,
      description:
        'Tools of your own making. Where there are some, other operations are tools only if `include` names them.',
      examples: [[{ name: 'open_orders', operation: 'orders', arguments: { where: { state: { _eq: 'OPEN' } } } }]],
    },
    instructions: {
      type: 'string',
      minLength: 1,
      maxLength: 10_000,
      description: 'Description of the service for agents.',
      examples: ['Orders and customers of the shop. Amounts are in euros.'],
    },
    allowed_origins: {
      ...names,
      description:
        'Web pages that may call, besides those of `server.cors.origins` and of this machine: `https://app.example.com`.',
    },
    public_url: {
      type: 'string',
      pattern: '^https?://[^/?#]+(/[^?#]*)?$',
      description: 'URL of the endpoint as clients have it. Default: from the request.',
      examples: ['https://api.example.com/mcp'],
    },
    authorization_servers: {
      ...names,
      description: 'Where clients get a token (RFC 9728). Default: the issuers that `[security]` trusts.',
      examples: [['https://login.example.com']],
    },
    default_page_size: {
      type: 'integer',
      minimum: 1,
      default: 20,
      description: 'Rows of a list where the agent gives no `limit`.',
    },
    max_page_size: {
      type: 'integer',
      minimum: 1,
      default: 100,
      description: 'A larger `limit` is read as this; the answer tells where to go on.',
    },
    max_related_rows: { type: 'integer', minimum: 1, default: 20, description: 'Rows of each related list.' },
    max_streams: {
      type: 'integer',
      minimum: 0,
      default: 1000,
      description:
        'Streams on which clients wait for changes of the list of tools, of each process; one more is refused with 503.',
    },
    max_streams_per_caller: {
      type: 'integer',
      minimum: 0,
      default: 20,
      description:
        'The same limit per caller: per credential, or per address of anonymous callers. Further ones are refused with 429; over stdio with an error.',
    },
    list_page_size: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      default: 200,
      description: 'Tools, resources or prompts of one page of their list.',
    },
    stdio_token: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      environment: 'SVC_MCP_TOKEN',
      description: 'Over stdio: the bearer token of who asks.',
      examples: ['a token'],
    },
    stdio_api_key: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      environment: 'SVC_MCP_API_KEY',
      description: 'Over stdio: the API key of who asks.',
      examples: ['svc_a_key'],
    },
  },
}
