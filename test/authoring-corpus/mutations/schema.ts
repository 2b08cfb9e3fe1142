import {
  DateTime,
  enum_,
  error,
  field,
  ID,
  Int,
  input,
  list,
  mutation,
  nullable,
  query,
  String,
  type,
  union,
  validate,
} from 'svc/authoring'

@enum_
export class Priority {
  static LOW = 'low'
  static HIGH = 'high'
}

@type({ sqlSource: 'v_order' })
export class Order {
  @field(ID) id!: string
  @field(String) sku!: string
}

@error({ description: 'The article is sold out' })
export class OutOfStock {
  @field(String) message!: string
  @field(Int) left!: number
}

@type({ isError: true })
export class NotAllowed {
  @field(String) message!: string
}

@union({ members: () => [Order, OutOfStock, NotAllowed] })
export class OrderResult {}

@input({ description: 'A new order', validate: { oneOf: ['email', 'phone'] } })
export class PlaceOrder {
  @field(String, {
    description: 'Number of the article',
    validate: { pattern: '^[A-Z]{3}-\\d+$', message: 'Like ABC-1' },
  })
  sku!: string
  @field(Int, { default: 1, validate: { range: { min: 1, max: 99 } } }) count!: number
  @field(Priority, { default: 'LOW' }) priority!: string
  @field(list(Priority), { default: ['LOW', 'HIGH'] }) allowed!: string[]
  @field(nullable(String), { deprecated: 'Use phone', validate: [{ minLength: 3 }, { maxLength: 80 }] }) email!:
    | string
    | null
  @validate('required') @field(nullable(String)) phone!: string | null
  @field(nullable(DateTime), { default: '2026-01-01T08:00:00Z' }) due_at!: string | null
  @field(() => nullable(Rules)) rules!: Rules | null
  @field(list(nullable(String)), { default: ['a', null], extra: { widget: 'list' } }) notes!: (string | null)[]
}

@input({
  validate: [
    { anyOf: ['a', 'b'] },
    { conditionalRequired: { ifFieldPresent: 'a', thenRequired: ['b'] } },
    { requiredIfAbsent: { absentField: 'a', thenRequired: ['c'] } },
  ],
})
export class Rules {
  @field(nullable(String), { validate: { required: true } }) a!: string | null
  @field(nullable(String), { validate: { length: { min: 1, max: 9 } } }) b!: string | null
  @field(nullable(Int), { validate: { minimum: 1, maximum: 2.5 } }) c!: number | null
  @field(nullable(String), { validate: { enum: ['x', 'y'] } }) d!: string | null
  @field(nullable(String), { validate: { checksum: 'luhn' } }) e!: string | null
  @field(nullable(Int), { validate: { crossField: { field: 'c', operator: 'gt' } } }) f!: number | null
  @field(nullable(String), {
    validate: { conditional: { condition: "d == 'x'", thenRules: ['required', { pattern: /^\w+$/u }] } },
  })
  g!: string | null
  @field(nullable(String), {
    validate: { all: ['required', { any: [{ minLength: 3 }, { pattern: { pattern: '^-$', message: 'Or -' } }] }] },
  })
  h!: string | null
}

export class Mutations {
  @mutation(() => OrderResult, {
    description: 'Places an order',
    deprecated: 'Use place',
    args: { input: PlaceOrder, dry: { type: nullable(String), description: 'Anything', default: 'no' } },
    validate: { anyOf: ['input', 'dry'] },
    sqlSource: 'fn_place_order',
    inject: { customer_id: 'jwt:sub' },
    requiresRole: ['buyer', 'admin'],
    requiresScope: 'write:order',
    requiresPolicy: 'own',
    authenticated: true,
    apiKeyRequired: true,
    restPath: '/orders',
    restMethod: 'POST',
    database: 'default',
    operation: 'CREATE',
    inputStyle: 'jsonb',
    call: 'positional',
    invalidates: ['v_order'],
    cacheUpdate: true,
    cascade: true,
    upsertFunction: 'fn_upsert_order',
    extra: { label: 'Place' },
  })
  place_order!: unknown

  @mutation(() => nullable(Order), { args: { id: ID }, operation: 'DELETE', inputStyle: 'flatten', public: true })
  delete_order!: unknown
}

export class Queries {
  @query(() => list(Order)) orders!: unknown
}
