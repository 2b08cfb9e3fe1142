import { RESPONSE_SQL } from './response.ts'
import type { Template } from './template.ts'

const SCHEMA = `import {
  field, ID, list, mutation, nullable, observer, query, String, subscription, type, webhook,
} from 'svc/authoring'

@type({ sqlSource: 'v_order' })
export class Order {
  @field(ID) id!: string
  @field(String) customer!: string
  @field(String) status!: string
}

export class Api {
  @query(list(Order), { sqlSource: 'v_order' }) orders!: unknown
  @query(nullable(Order), { sqlSource: 'v_order', args: { id: ID } }) order!: unknown

  @mutation(Order, { sqlSource: 'fn_create_order', operation: 'CREATE', args: { customer: String } })
  createOrder!: unknown

  @mutation(Order, { sqlSource: 'fn_ship_order', operation: 'UPDATE', args: { id: ID } })
  shipOrder!: unknown
}

// For clients, over WebSocket: every committed change of an order.
export class Subscriptions {
  @subscription(() => Order, { operation: ['INSERT', 'UPDATE'], args: { id: nullable(ID) } })
  orderChanged!: unknown
}

// For other services: a call after the commit. The variable holds the URL.
export class Observers {
  @observer({
    entity: Order,
    event: 'UPDATE',
    condition: "status.changed() and status == 'shipped'",
    actions: [webhook({ urlEnv: 'SHIPPED_WEBHOOK_URL' })],
  })
  orderShipped!: unknown
}
`

const TABLES = `CREATE TABLE tb_order (
  pk_order bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  customer text NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'shipped'))
);
`

const VIEWS = `CREATE VIEW v_order AS SELECT id, pk_order, customer, status FROM tb_order;
`

const FUNCTIONS = `${RESPONSE_SQL}
CREATE FUNCTION order_response(p_status text, p_id uuid, p_updated_fields text[] DEFAULT '{}')
RETURNS mutation_response LANGUAGE sql STABLE AS $$
  SELECT p_status, 'Order ' || p_status, p_id::text, 'Order', (SELECT to_jsonb(v) FROM v_order v WHERE v.id = p_id),
         p_updated_fields, NULL::jsonb, NULL::jsonb
$$;

CREATE FUNCTION fn_create_order(p_customer text) RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  INSERT INTO tb_order (customer) VALUES (p_customer) RETURNING id INTO v_id;
  RETURN order_response('created', v_id);
END $$;

CREATE FUNCTION fn_ship_order(p_id uuid) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tb_order SET status = 'shipped' WHERE id = p_id AND status = 'open';
  IF NOT FOUND THEN RAISE EXCEPTION 'There is no open order %', p_id USING HINT = 'NOT_FOUND'; END IF;
  RETURN order_response('updated', p_id, ARRAY['status']);
END $$;
`

const DATA = `INSERT INTO tb_order (id, customer) VALUES ('00000000-0000-4000-8000-000000000001', 'Ada');
`

const TEST = `import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { testProject } from 'svc/testing'

test('a shipped order calls the webhook once', async () => {
  const calls: { event: string; data: { new: { customer: string; status: string } } }[] = []
  const receiver = createServer(async (request: IncomingMessage, response) => {
    calls.push(JSON.parse(await text(request)))
    response.end()
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  process.env.SHIPPED_WEBHOOK_URL = \`http://127.0.0.1:\${(receiver.address() as AddressInfo).port}/\`
  const project = await testProject()

  const created = await project.graphql('mutation { createOrder(customer: "Grace") { id status } }')
  assert.deepEqual(created.errors, undefined)
  const id = created.data?.createOrder.id
  const ship = \`mutation { shipOrder(id: "\${id}") { status } }\`
  assert.equal((await project.graphql(ship)).data?.shipOrder.status, 'shipped')
  assert.equal((await project.graphql(ship)).errors?.[0]?.extensions.code, 'NOT_FOUND')

  for (let tries = 0; calls.length === 0 && tries < 400; tries++) await new Promise((done) => setTimeout(done, 25))
  // Closing waits for calls in flight.
  await project.close()
  receiver.close()
  assert.equal(calls.length, 1)
  assert.equal(calls[0]?.event, 'UPDATE')
  assert.equal(calls[0]?.data.new.customer, 'Grace')
  assert.equal(calls[0]?.data.new.status, 'shipped')
})
`

/**
 * The template `events` of `svc init`: subscriptions and observers, through which clients and other services receive
 * changes.
 */
export const EVENTS: Template = {
  schema: SCHEMA,
  test: TEST,
  policy: 'public',
  enable: ['subscriptions'],
  more: `
# Calls webhooks after commits. "in-memory" loses events of a process that ends; a PostgreSQL server keeps them with "sqldb".
[observers]
enabled = true
backend = "in-memory"
allow_hosts = ["127.0.0.1"]         # webhooks on this machine, for development
`,
  files: {
    pglite: {
      'db/01_tables.sql': TABLES,
      'db/02_views.sql': VIEWS,
      'db/03_functions.sql': FUNCTIONS,
      'db/04_data.sql': DATA,
    },
  },
  tryIt: `Run a subscription in the editor:

    subscription { orderChanged { id customer status } }

and in a second tab:

    mutation { createOrder(customer: "Grace") { id } }

\`shipOrder\` also calls the webhook in the variable SHIPPED_WEBHOOK_URL.
`,
}
