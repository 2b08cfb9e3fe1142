import {
  Boolean,
  chat,
  Decimal,
  email,
  field,
  ID,
  list,
  mutation,
  nullable,
  observer,
  query,
  String,
  subscription,
  type,
  webhook,
} from 'svc/authoring'

@type({ sqlSource: 'v_order' })
export class Order {
  @field(ID) id!: string
  @field(String) status!: string
  @field(Decimal) total!: string
}

export class Operations {
  @query(() => list(Order)) orders!: unknown
  @mutation(() => Order, { args: { id: ID } }) shipOrder!: unknown

  @subscription(() => Order, {
    description: 'Orders that leave',
    deprecated: 'Use orders',
    args: { id: nullable(ID), all: { type: Boolean, default: false } },
    validate: { anyOf: ['id', 'all'] },
    inject: { tenant_id: 'jwt:tenant' },
    requiresRole: 'buyer',
    requiresScope: 'read:order',
    requiresPolicy: 'own',
    authenticated: true,
    apiKeyRequired: true,
    database: 'default',
    entityType: Order,
    topic: 'order_shipped',
    operation: 'UPDATE',
    filter: "status == 'shipped'",
    durable: true,
    replay: true,
    extra: { label: 'Shipped' },
  })
  order_shipped!: unknown

  @subscription(() => Order, {
    public: true,
    entityType: 'Order',
    operation: ['INSERT', 'DELETE'],
    filter: {
      conditions: [
        { path: 'total', operator: 'gt', value: 100 },
        { argument: 'id', path: 'id' },
      ],
    },
    args: { id: nullable(ID) },
  })
  order_listed!: unknown

  @subscription(() => Order, { filter: { path: 'status', value: 'new' } }) order_new!: unknown

  @observer({
    entity: Order,
    event: 'UPDATE',
    condition: 'status.changed() and total > 100',
    actions: [
      webhook('https://example.com/orders/{id}', {
        method: 'PUT',
        headers: { Authorization: 'Bearer {SHOP_TOKEN}', 'X-Id': '{id}' },
        bodyTemplate: '{"status": "{{status}}"}',
        secretEnv: 'HOOK_SECRET',
      }),
      webhook({ urlEnv: 'HOOK_URL' }),
      chat('#orders', 'Order {id} is {status}', { url: { urlEnv: 'CHAT_URL' } }),
      email('a@example.com', 'Order {id}', 'It is {status}', { from: 'shop@example.com' }),
    ],
    retry: { maxAttempts: 5, backoffStrategy: 'exponential', initialDelayMs: 50, maxDelayMs: 1000 },
    sync: true,
  })
  big_orders!: unknown

  @observer({ entity: 'Order', event: 'shipOrder', actions: [chat('#orders', 'Shipped')], retry: { maxAttempts: 1 } })
  shipped!: unknown
}
