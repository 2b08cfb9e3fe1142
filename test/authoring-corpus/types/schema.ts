import {
  field,
  hierarchy,
  ID,
  Int,
  interface_,
  LTree,
  list,
  nullable,
  query,
  String,
  schemaKeys,
  type,
  Vector,
} from 'svc/authoring'

@interface_({
  description: 'An entity with a name',
  sqlSource: 'v_named',
  typeColumn: 'kind',
  aggregate: { groupBy: ['name'], countDistinct: ['name'] },
  keyFields: ['id'],
  keys: ['id name'],
  resolvable: true,
  inaccessible: true,
  tags: ['internal'],
})
export class Named {
  @field(ID) id!: string
  @field(String, { description: 'Shown in public' }) name!: string
}

@type({
  description: 'A customer',
  sqlSource: 'v_customer',
  jsonbColumn: 'doc',
  key: ['tenant_id', 'id'],
  implements: [Named],
  relay: true,
  database: 'default',
  dataplane: 'graphql',
  requiresRole: ['sales', 'admin'],
  inject: { tenant_id: 'jwt:tenant' },
  rowFilter: 'is_live',
  open: true,
  aggregate: { groupBy: ['name'], countDistinct: [], sum: ['total'], avg: [], min: ['total'], max: ['total'] },
  keyFields: ['id'],
  keys: ['id', 'name'],
  resolvable: false,
  inaccessible: true,
  tags: ['one', 'two'],
  extends: true,
  shareable: true,
  interfaceObject: true,
  directives: ['@owner(team: "x")'],
  extra: { label: 'Customer', order: { 10: 'ten', b: 1, 2: 'two' } },
})
export class Customer extends Named {
  @field(Int, { default: 3, deprecated: 'Use orders' }) total!: number
  @field(nullable(String), { requiresScope: 'read:email', requiresRole: 'admin', onDeny: 'reject' }) email!:
    | string
    | null
  @field(String, { filterable: false, orderable: false, searchable: true }) note!: string
  @field(String, { filterType: 'StringFilter' }) status!: string
  @field(String, { filterOperators: ['_eq', '_in'] }) code!: string
  @field(nullable(Int), { computed: true }) rank!: number | null
  @field(LTree, { hierarchy: 'regions' }) region!: string
  @field(Vector, { vectorConfig: { dimensions: 3, distanceMetric: 'cosine' } }) embedding!: readonly number[]
  @field(() => list(Order), { relation: { from: ['tenant_id', 'id'], to: ['tenant_id', 'customer_id'] } })
  orders!: Order[]
  @field(nullable(String), { authorize: 'own_rows' }) secret!: string | null
  @field(nullable(String), { external: true, shareable: true, inaccessible: true, tags: ['x'] }) weight!: string | null
  @field(nullable(String), { override: 'shop', overrideLabel: 'percent(25)' }) price!: string | null
  @field(() => nullable(Order), { provides: 'note' }) lastOrder!: Order | null
  @field(nullable(Int), { requires: 'weight', sql: '{weight} * 2', extra: { unit: 'g' } }) shipping!: number | null
}

@type({ sqlSource: 'v_order', jsonbColumn: 'data' })
export class Order {
  @field(ID) id!: string
  @field(nullable(String)) note!: string | null
  @field(() => nullable(Customer), { relation: { from: 'customer_id', to: 'id' } }) customer!: Customer | null
  @field(() => list(Line)) lines!: Line[]
}

@type({ embedded: true, requiresRole: 'sales' })
export class Line {
  @field(String) sku!: string
}

@type({ sqlSource: 'v_region', aggregate: true })
export class Region {
  @field(ID, { column: 'region_id' }) id!: string
  @field(LTree) path!: string
  @field(() => list(Region), {
    relation: { from: 'region_id', to: 'region_id', through: { sqlSource: 'border', from: 'from_id', to: 'to_id' } },
  })
  neighbours!: Region[]
}

hierarchy('regions', { type: () => Region, path: 'path', id: 'id' })
schemaKeys({ query_defaults: { where: true, order_by: true, limit: true, offset: false } })

export class Queries {
  @query(() => list(Customer), { sqlSource: 'v_customer' }) customers!: unknown
  @query(() => list(Order)) orders!: unknown
}
