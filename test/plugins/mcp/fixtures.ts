import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, SvcError } from '../../../core/doors/plugin.ts'
import { type McpApi, type McpCall, type McpTool, RPC, RpcError } from '../../../plugins/mcp/api.ts'

/** What the conformance suite calls by name; no schema can have it. */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const NOTHING = { type: 'object', properties: {}, additionalProperties: false }

type Json = Readonly<Record<string, unknown>>
type Tool = Partial<McpTool> & Pick<McpTool, 'call'>

const text = (said: string): Json => ({ type: 'text', text: said })
const said = (words: string): Json => ({ content: [text(words)] })
const image = { type: 'image', data: PNG, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, content: string): Json => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
})

const form = (message: string, name: string): Json => ({
  method: 'elicitation/create',
  params: {
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  },
})
const sampling = (question: string): Json => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(question) }], maxTokens: 100 },
})
const ROOTS = { method: 'roots/list', params: {} }

const KEY = 'the key of the fixtures'
const seal = (state: string): string => `${state}.${createHmac('sha256', KEY).update(state).digest('hex')}`
function open(sealed: unknown): string {
  const value = String(sealed)
  const [state = ''] = value.split('.')
  const own = Buffer.from(seal(state))
  const given = Buffer.from(value)
  if (own.length !== given.length || !timingSafeEqual(own, given))
    throw new RpcError(RPC.invalidParams, 'The state is not the one that was given.')
  return state
}

/** Asks for what is missing until it is there. */
function asking(inputRequests: Json, done: (given: Json, call: McpCall) => Json, state?: string): Tool {
  return {
    call(call) {
      const { inputResponses, requestState } = call.params as { inputResponses?: Json; requestState?: unknown }
      if (requestState !== undefined && state !== undefined) open(requestState)
      const isThere = (name: string): boolean =>
        typeof inputResponses?.[name] === 'object' && inputResponses[name] !== null
      if (Object.keys(inputRequests).every(isThere)) return done(inputResponses as Json, call)
      return {
        resultType: 'input_required',
        inputRequests,
        ...(state === undefined ? {} : { requestState: seal(state) }),
      }
    },
  }
}

const NAME = { user_name: form('What is your name?', 'name') }
const nameIn = (given: Json): string => String((given.user_name as { content?: { name?: string } }).content?.name)

const TOOLS = (mcp: McpApi): Readonly<Record<string, Tool>> => ({
  test_simple_text: { call: () => said('This is a simple text response for testing.') },
  test_image_content: { call: () => ({ content: [image] }) },
  test_audio_content: { call: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    call: () => ({
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  test_multiple_content_types: {
    call: () => ({
      content: [
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    call() {
      throw new SvcError('INVALID_INPUT', 'This tool intentionally returns an error for testing')
    },
  },
  test_tool_with_progress: {
    streams: true,
    async call(call) {
      for (const progress of [0, 50, 100]) {
        call.progress(progress, 100)
        await sleep(50)
      }
      return said('done')
    },
  },
  test_tool_slow: {
    inputSchema: { type: 'object', properties: { durationMs: { type: 'integer' } } },
    call: ({ arguments: { durationMs }, exchange }) => waits(Number(durationMs), exchange.signal),
  },
  test_tool_fast: { call: () => said('fast') },
  test_with_headers: {
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        deep: { type: 'object', properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } } },
      },
    },
    call: ({ arguments: given }) => said(JSON.stringify(given)),
  },
  test_missing_capability: {
    call({ clientCapabilities }) {
      if (clientCapabilities.sampling !== undefined) return said('it can')
      const data = { requiredCapabilities: { sampling: {} } }
      throw new RpcError(RPC.missingCapability, 'The client cannot sample.', { status: 400, data })
    },
  },
  test_streaming_elicitation: { ...asking(NAME, (given) => said(nameIn(given))), streams: true },
  test_logging_tool: {
    streams: true,
    call(call) {
      const meta = (call.params._meta ?? {}) as Json
      if (meta['io.modelcontextprotocol/logLevel'] !== undefined)
        call.notify('notifications/message', { level: 'info', data: 'a line' })
      return said('logged')
    },
  },
  test_trigger_tool_change: {
    call() {
      mcp.changed('tools')
      return said('changed')
    },
  },
  test_trigger_prompt_change: {
    call() {
      mcp.changed('prompts')
      return said('changed')
    },
  },
  json_schema_2020_12_tool: { inputSchema: SCHEMA_2020, call: () => said('fits') },
  test_input_required_result_elicitation: asking(NAME, (given) => said(`Hello, ${nameIn(given)}!`)),
  test_input_required_result_sampling: asking(
    { capital_question: sampling('What is the capital of France?') },
    (given) => said(JSON.stringify(given.capital_question)),
  ),
  test_input_required_result_list_roots: asking({ client_roots: ROOTS }, (given) =>
    said(JSON.stringify(given.client_roots)),
  ),
  test_input_required_result_request_state: asking(
    { confirm: form('Please confirm', 'ok') },
    () => said('state-ok'),
    'one',
  ),
  test_input_required_result_multiple_inputs: asking(
    { ...NAME, greeting: sampling('Generate a greeting'), client_roots: ROOTS },
    () => said('all there'),
    'many',
  ),
  test_input_required_result_tampered_state: asking(
    { confirm: form('Please confirm', 'ok') },
    () => said('state-ok'),
    'two',
  ),
  test_input_required_result_capabilities: {
    call(call) {
      const { sampling: samples, elicitation } = call.clientCapabilities
      const requests = {
        ...(samples === undefined ? {} : { question: sampling('What?') }),
        ...(elicitation === undefined ? {} : NAME),
      }
      return asking(requests, () => said('nothing to ask')).call(call)
    },
  },
  test_input_required_result_multi_round: {
    call(call) {
      const { requestState } = call.params
      const round = requestState === undefined ? 'step1' : open(requestState)
      const next = round === 'step1' && requestState !== undefined ? 'step2' : round
      if (round === 'step2') return said('two steps')
      const request =
        next === 'step1'
          ? form('Step 1: What is your name?', 'name')
          : form('Step 2: What is your favorite color?', 'color')
      return { resultType: 'input_required', inputRequests: { [next]: request }, requestState: seal(next) }
    },
  },
})

async function waits(durationMs: number, signal: AbortSignal): Promise<Json> {
  await sleep(durationMs, undefined, { signal })
  return said('slept')
}

const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const user = (...contents: readonly Json[]): Json => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
const argument = (name: string) => ({ name, description: name, required: true })

export default definePlugin(
  {
    name: 'mcp-fixtures',
    version: '1.0.0',
    kernelApi: 1,
    description: 'What the suite calls.',
    dependencies: ['mcp'],
  },
  (scope) => {
    const mcp = scope.use('mcp')
    for (const [name, tool] of Object.entries(TOOLS(mcp))) {
      mcp.tool({ name, description: `For the suite: ${name}.`, inputSchema: NOTHING, ...tool })
    }
    const content = 'This is the content of the static text resource.'
    const description = 'For the suite.'
    mcp.resource({
      uri: 'test://static-text',
      name: 'text',
      description,
      mimeType: 'text/plain',
      read: () => ({ text: content }),
    })
    mcp.resource({
      uri: 'test://static-binary',
      name: 'binary',
      description,
      mimeType: 'image/png',
      read: () => ({ blob: PNG }),
    })
    mcp.resourceTemplate({
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description,
      mimeType: 'application/json',
      read: (_exchange, id) => ({ text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }),
    })
    mcp.prompt({
      name: 'test_simple_prompt',
      description,
      arguments: [],
      get: () => user(text('This is a simple prompt for testing.')),
    })
    mcp.prompt({
      name: 'test_prompt_with_arguments',
      description,
      arguments: [argument('arg1'), argument('arg2')],
      get: ({ arguments: { arg1, arg2 } }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
      complete: (_exchange, _argument, start) => ['paris', 'park', 'party'].filter((value) => value.startsWith(start)),
    })
    mcp.prompt({
      name: 'test_prompt_with_embedded_resource',
      description,
      arguments: [argument('resourceUri')],
      get: ({ arguments: { resourceUri } }) =>
        user(
          embedded(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'),
          text('Please process the embedded resource above.'),
        ),
    })
    mcp.prompt({
      name: 'test_prompt_with_image',
      description,
      arguments: [],
      get: () => user(image, text('Please analyze the image above.')),
    })
    mcp.prompt({
      name: 'test_input_required_result_prompt',
      description,
      arguments: [],
      get: (call) =>
        asking({ user_context: form('What context should the prompt use?', 'context') }, () =>
          user(text('context')),
        ).call(call),
    })
  },
)
