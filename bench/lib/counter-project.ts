import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { Observed } from './watch-stale.ts'

/** A number that a mutation sets, and two views that show it. */
export const COUNTER_SQL = `
CREATE TABLE tb_counter (id int PRIMARY KEY, n bigint NOT NULL);
INSERT INTO tb_counter VALUES (1, 0), (2, 0);
CREATE VIEW v_counter AS SELECT id, n FROM tb_counter;
CREATE VIEW v_total AS SELECT 1 AS id, sum(n)::bigint AS total FROM tb_counter;
CREATE FUNCTION fn_set_n(id int, n bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tb_counter c SET n = fn_set_n.n WHERE c.id = fn_set_n.id;
  RETURN jsonb_build_object('status', 'updated', 'entity_type', 'Counter', 'entity_id', id::text,
    'entity', (SELECT to_jsonb(v) FROM v_counter v WHERE v.id = fn_set_n.id));
END $$;
`

const ID = { name: 'id', type: 'ID!' }

export const COUNTER_SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    { name: 'Counter', sql_source: 'v_counter', fields: [ID, { name: 'n', type: 'BigInt!' }] },
    { name: 'Total', sql_source: 'v_total', fields: [ID, { name: 'total', type: 'BigInt!' }] },
  ],
  queries: [
    { name: 'counters', type: '[Counter!]!', sql_source: 'v_counter', cache_ttl: 60 },
    { name: 'totals', type: '[Total!]!', sql_source: 'v_total', cache_ttl: 60, additional_views: ['v_counter'] },
  ],
  mutations: [
    {
      name: 'set_n',
      type: 'Counter',
      sql_source: 'fn_set_n',
      operation: 'UPDATE',
      arguments: [
        { name: 'id', type: 'Int!' },
        { name: 'n', type: 'BigInt!' },
      ],
    },
  ],
}

/** Ways to ask for the same number. */
const READS = [
  '{ counters(where: { id: { _eq: 1 } }) { n } }',
  '{ totals { total } }',
  '{ counters(orderBy: { n: DESC }) { n } }',
]

interface Body {
  readonly data?: {
    readonly counters?: readonly { readonly n: string }[]
    readonly totals?: readonly { readonly total: string }[]
  }
  readonly errors?: unknown
}

/**
 * A client of a server of the counter, on kept connections of its own.
 * @param url its GraphQL endpoint, read before each request; `null`: it is stopped
 */
export function observe(url: () => string | null): Observed {
  const agent = new Agent({ keepAlive: true })
  async function ask(query: string): Promise<{ readonly body: Body; readonly fromCache: boolean }> {
    const at = url()
    if (at === null) throw new Error('The server is away.')
    const sent = request(at, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve)
      sent.on('error', reject)
      sent.end(JSON.stringify({ query }))
    })
    const body = JSON.parse(await text(reply)) as Body
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors))
    return { body, fromCache: reply.headers['x-cache'] === 'HIT' }
  }
  return {
    async write(n) {
      await ask(`mutation { setN(id: 1, n: "${n}") { n } }`)
      return true
    },
    async read(way) {
      const { body, fromCache } = await ask(READS[way % READS.length]!)
      const { counters, totals } = body.data ?? {}
      return { seen: Number(counters?.[0]?.n ?? totals?.[0]?.total), fromCache }
    },
  }
}
