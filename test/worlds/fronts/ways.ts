import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { IDS, MADE_AT, MADE_ON } from './tags.ts'

/** How one way in answered: what it should, or that it cannot now. Anything else is thrown. */
export type Outcome = 'right' | 'refused'

/** A caller that uses one front for one row. */
export interface Way {
  readonly name: string
  /**
   * @param name that the row has, or is to get
   * @throws Error for an answer that is neither right nor an honest refusal
   */
  ask(url: string, id: string, name: string): Promise<Outcome>
}

/** An answer that takes longer is none. */
const ANSWER_MS = 8000
/** Until a subscriber has heard. */
const HEAR_MS = 30_000
/** What a service says that cannot answer now, or does not know whether it wrote. */
const REFUSALS = new Set([502, 503, 504])
const REFUSAL_CODES = new Set(['SERVICE_UNAVAILABLE', 'TIMEOUT', 'RATE_LIMITED', 'EVENTS_LOST'])

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked at by the ways
  readonly body: any
}

async function send(
  url: string,
  path: string,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const reply = await fetch(new URL(path, url), {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text === '' ? null : parse(text) }
}

/** JSON, or the only message of a stream. */
function parse(text: string): unknown {
  const data = /^data: (.*)$/m.exec(text)?.[1]
  try {
    return JSON.parse(data ?? text)
  } catch {
    return text
  }
}

const graphql = (url: string, query: string, variables: object): Promise<Answer> =>
  send(url, '/graphql', { query, variables })

const isRefused = (answer: Answer): boolean =>
  REFUSALS.has(answer.status) ||
  (answer.body?.errors ?? []).some(({ extensions }: { extensions?: { code?: string } }) =>
    REFUSAL_CODES.has(extensions?.code ?? ''),
  ) ||
  (answer.body?.result?.isError === true && /SERVICE_UNAVAILABLE|TIMEOUT/.test(JSON.stringify(answer.body)))

/** What a tool gives, as the oldest clients read it. */
function contentOf({ body }: Answer): { readonly renameTag?: { readonly id: string; readonly name: string } } | null {
  const text = body?.result?.isError === false ? body.result.content[0]?.text : undefined
  return text === undefined ? null : JSON.parse(text)
}

/** @throws Error that shows both */
function judge(answer: Answer, found: unknown, wanted: unknown): Outcome {
  if (isRefused(answer)) return 'refused'
  if (JSON.stringify(found) === JSON.stringify(wanted)) return 'right'
  throw new Error(`${answer.status} ${JSON.stringify(answer.body).slice(0, 500)} instead of ${JSON.stringify(wanted)}`)
}

const FIELDS = 'id name madeAt madeOn share'
const row = (id: string, name: string) => ({ id, name, madeAt: MADE_AT, madeOn: MADE_ON, share: 0.1 })
const pathOf = (id: string): string => `/rest/v1/tags/${encodeURIComponent(id)}`

const READS: readonly Way[] = [
  {
    name: 'GraphQL: one',
    async ask(url, id, name) {
      const answer = await graphql(url, `query ($id: ID!) { tag(id: $id) { ${FIELDS} } }`, { id })
      return judge(answer, answer.body?.data?.tag, row(id, name))
    },
  },
  {
    name: 'GraphQL over GET: a filter of time',
    async ask(url, id, name) {
      const where = {
        id: { _in: [id] },
        madeAt: { _lte: MADE_AT, _gte: '2026-03-07T21:00:00-05:30' },
        madeOn: { _eq: MADE_ON },
      }
      const query = `query ($where: TagWhereInput) { tags(where: $where) { ${FIELDS} } }`
      const search = new URLSearchParams({ query, variables: JSON.stringify({ where }) })
      const answer = await send(url, `/graphql?${search}`)
      return judge(answer, answer.body?.data?.tags, [row(id, name)])
    },
  },
  {
    name: 'GraphQL: every page by its cursor',
    async ask(url) {
      const ids: string[] = []
      let after: string | null = null
      do {
        const query =
          'query ($after: String) { pagedTags(first: 4, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } } }'
        const answer: Answer = await graphql(url, query, { after })
        if (isRefused(answer)) return 'refused'
        const page = answer.body?.data?.pagedTags
        if (!page) throw new Error(JSON.stringify(answer.body))
        for (const { node } of page.edges) ids.push(node.id)
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
      } while (after !== null && ids.length <= IDS.length)
      if (JSON.stringify(ids.sort()) !== JSON.stringify([...IDS].sort()))
        throw new Error(`pages of ${JSON.stringify(ids)}`)
      return 'right'
    },
  },
  {
    name: 'federation: _entities',
    async ask(url, id, name) {
      const query = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Tag { ${FIELDS} } } }`
      const answer = await graphql(url, query, { r: [{ __typename: 'Tag', id }] })
      return judge(answer, answer.body?.data?._entities, [row(id, name)])
    },
  },
  {
    name: 'REST: one',
    async ask(url, id, name) {
      const answer = await send(url, pathOf(id))
      return judge(answer, answer.body, { data: row(id, name) })
    },
  },
  {
    name: 'REST: a list with a filter',
    async ask(url, id, name) {
      const answer = await send(url, `/rest/v1/tags?id=${encodeURIComponent(id)}&select=id,name,madeAt`)
      const { madeAt } = row(id, name)
      return judge(answer, answer.body?.data, [{ id, name, madeAt }])
    },
  },
  {
    name: 'MCP: a tool',
    async ask(url, id, name) {
      const params = { name: 'tag', arguments: { id } }
      const answer = await send(url, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      return judge(answer, contentOf(answer), { tag: row(id, name) })
    },
  },
]

const WRITES: readonly Way[] = [
  {
    name: 'GraphQL: a mutation',
    async ask(url, id, name) {
      const answer = await graphql(
        url,
        'mutation ($id: ID!, $name: String!) { renameTag(id: $id, name: $name) { id name } }',
        { id, name },
      )
      return judge(answer, answer.body?.data?.renameTag, { id, name })
    },
  },
  {
    name: 'REST: PATCH',
    async ask(url, id, name) {
      const answer = await send(url, pathOf(id), { name }, 'PATCH')
      return judge(answer, [answer.body?.data?.id, answer.body?.data?.name], [id, name])
    },
  },
  {
    name: 'MCP: a tool that writes',
    async ask(url, id, name) {
      const params = { name: 'renameTag', arguments: { id, name } }
      const answer = await send(url, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      const tag = contentOf(answer)?.renameTag
      return judge(answer, [tag?.id, tag?.name], [id, name])
    },
  },
]

/** Hears of a change that another caller makes. */
const STREAMS: readonly Way[] = [
  {
    name: 'WebSocket',
    async ask(url, id, name) {
      const client = createClient({
        url: `${url.replace('http', 'ws')}/ws`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
      })
      const query = 'subscription ($id: ID) { tagChanged(id: $id) { id name } }'
      const heard = client.iterate<{ tagChanged: unknown }>({ query, variables: { id } })
      try {
        const event = heard.next()
        event.catch(() => {})
        const { value } = await changeUntil(url, id, name, event)
        if (JSON.stringify(value) === JSON.stringify({ data: { tagChanged: { id, name } } })) return 'right'
        throw new Error(JSON.stringify(value))
      } finally {
        await client.dispose()
      }
    },
  },
  {
    name: 'GraphQL over SSE',
    ask(url, id, name) {
      const query = 'subscription ($id: ID) { tagChanged(id: $id) { id name } }'
      const search = new URLSearchParams({ query, variables: JSON.stringify({ id }) })
      return hear(url, `/graphql/stream?${search}`, id, name, { data: { tagChanged: { id, name } } })
    },
  },
  {
    name: 'REST over SSE',
    ask: (url, id, name) =>
      hear(url, `/rest/v1/tags/stream?id=${encodeURIComponent(id)}&select=id,name`, id, name, { id, name }),
  },
]

async function hear(url: string, path: string, id: string, name: string, wanted: object): Promise<Outcome> {
  const ended = new AbortController()
  const reply = await fetch(new URL(path, url), {
    headers: { accept: 'text/event-stream' },
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(2 * HEAR_MS)]),
  })
  try {
    if (REFUSALS.has(reply.status)) return 'refused'
    if (reply.status !== 200) throw new Error(`${reply.status} ${await reply.text()}`)
    const found = await changeUntil(url, id, name, firstData(reply))
    if (JSON.stringify(found) === JSON.stringify(wanted)) return 'right'
    throw new Error(JSON.stringify(found))
  } finally {
    ended.abort()
  }
}

async function firstData(reply: Response): Promise<unknown> {
  let text = ''
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const data = /^data: (\{.*\})\r?\n/m.exec(text)?.[1]
    if (data !== undefined) return JSON.parse(data)
  }
  throw new Error(`the stream ended: ${text}`)
}

/** Subscribers say nothing when they are ready: the row is changed until one hears of it. */
async function changeUntil<T>(url: string, id: string, name: string, event: Promise<T>): Promise<T> {
  let isOver = false
  const over = event.finally(() => {
    isOver = true
  })
  over.catch(() => {})
  const deadline = Date.now() + HEAR_MS
  while (!isOver && Date.now() < deadline) {
    await WRITES[0]!.ask(url, id, name)
    await Promise.race([over.catch(() => {}), new Promise((resolve) => setTimeout(resolve, 200))])
  }
  if (!isOver) throw new Error('nothing was heard of the change')
  return over
}

export const WAYS = { READS, WRITES, STREAMS } as const
