import type { AuthoredSchema } from '../../../core/doors/command.ts'

type Fields = AuthoredSchema['types'] extends readonly (infer T)[] | undefined
  ? T extends { readonly fields: infer F }
    ? F
    : never
  : never

type Columns = string | readonly string[]
const relation = (name: string, type: string, from: Columns, to: Columns) => ({ name, type, relation: { from, to } })
/** Of a key of two columns, each of which repeats. */
const SLOT = ['shelf', 'place'] as const

type Join = readonly [source: string, from: Columns, to: Columns]
const through = (name: string, type: string, from: Columns, to: Columns, [sql_source, ...join]: Join) => ({
  name,
  type,
  relation: { from, to, through: { sql_source, from: join[0], to: join[1] } },
})

/** A value of each scalar, each of which may be null. */
const ANY_SCALAR = [
  { name: 'alias', type: 'String' },
  { name: 'size', type: 'Int' },
  { name: 'big', type: 'BigInt' },
  { name: 'score', type: 'Decimal' },
  { name: 'ratio', type: 'Float' },
  { name: 'active', type: 'Boolean' },
  { name: 'born', type: 'Date' },
  { name: 'seen', type: 'DateTime' },
  { name: 'woke', type: 'Time' },
  { name: 'code', type: 'UUID' },
  { name: 'mood', type: 'Mood' },
  { name: 'tags', type: '[String!]' },
  { name: 'numbers', type: '[Int!]' },
  { name: 'prices', type: '[Decimal!]' },
  { name: 'moments', type: '[DateTime!]' },
  { name: 'moods', type: '[Mood!]' },
  { name: 'noted', type: '[String]' },
  { name: 'extra', type: 'JSON' },
] as const

const THING = [
  { name: 'id', type: 'ID!' },
  { name: 'name', type: 'String!' },
  { name: 'size', type: 'Int' },
] as const

const MAKER: Fields = [
  { name: 'id', type: 'ID!' },
  { name: 'name', type: 'String!' },
  ...ANY_SCALAR,
  { name: 'weight', type: 'Float' },
  { name: 'made_at', type: 'DateTime' },
  { name: 'raw', type: 'JSON' },
  { name: 'number', type: 'ID', column: 'fk_mentor' },
  relation('alike', '[Thing!]!', 'size', 'size'),
  relation('anything', '[Anything!]!', 'size', 'size'),
  relation('mentor', 'Maker', 'fk_mentor', 'pk_maker'),
  relation('pupils', '[Maker!]!', 'pk_maker', 'fk_mentor'),
  relation('works', '[Work!]!', 'pk_maker', 'fk_maker'),
  through('friends', '[Maker!]!', 'pk_maker', 'pk_maker', ['tb_bond', 'fk_one', 'fk_other']),
  through('fans', '[Maker!]!', 'pk_maker', 'pk_maker', ['tb_bond', 'fk_other', 'fk_one']),
]

/** Tables, a view over a table, documents with objects in them, rows of several types in one view. */
export const WORLD: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'Mood',
      values: [
        { name: 'CALM', value: 'calm' },
        { name: 'ODD', value: 'o\'d "d' },
        { name: 'ANGRY', value: 'angry' },
      ],
    },
    { name: 'Kind', values: [{ name: 'oil' }, { name: 'ink' }, { name: 'clay' }] },
  ],
  interfaces: [{ name: 'Thing', sql_source: 'v_thing', aggregate: true, fields: [...THING] }],
  unions: [{ name: 'Anything', members: ['ThingMaker', 'ThingWork'], sql_source: 'v_thing' }],
  types: [
    { name: 'Maker', sql_source: 'tb_maker', relay: true, aggregate: true, fields: MAKER },
    {
      name: 'Work',
      sql_source: 'v_work',
      relay: true,
      aggregate: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'title', type: 'String!' },
        { name: 'price', type: 'Decimal!' },
        { name: 'year', type: 'Int!' },
        { name: 'sold', type: 'Boolean!' },
        { name: 'added', type: 'DateTime!' },
        { name: 'kind', type: 'Kind!' },
        { name: 'note', type: 'String' },
        relation('maker', 'Maker', 'fk_maker', 'pk_maker'),
        relation('parts', '[Part!]!', 'pk_work', 'fk_work'),
        through('slots', '[Slot!]!', 'pk_work', SLOT, ['tb_kept', 'fk_work', ['at_shelf', 'at_place']]),
      ],
    },
    {
      name: 'Part',
      sql_source: 'tb_part',
      aggregate: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'rank', type: 'Int!' },
        { name: 'label', type: 'String' },
        relation('work', 'Work!', 'fk_work', 'pk_work'),
        relation('thing', 'Thing', 'rank', 'pk_thing'),
        relation('slot', 'Slot', ['fk_work', 'rank'], SLOT),
      ],
    },
    {
      name: 'Slot',
      sql_source: 'tb_slot',
      aggregate: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String' },
        { name: 'shelf', type: 'Int!' },
        relation('parts', '[Part!]!', SLOT, ['fk_work', 'rank']),
        relation('over', 'Slot', ['over_shelf', 'over_place'], SLOT),
        relation('under', '[Slot!]!', SLOT, ['over_shelf', 'over_place']),
        through('works', '[Work!]!', SLOT, 'pk_work', ['tb_kept', ['at_shelf', 'at_place'], 'fk_work']),
      ],
    },
    {
      name: 'Home',
      embedded: true,
      fields: [
        { name: 'city', type: 'String!' },
        { name: 'zip', type: 'Int' },
        { name: 'since', type: 'Date' },
        { name: 'tags', type: '[String!]' },
      ],
    },
    {
      name: 'Step',
      embedded: true,
      fields: [
        { name: 'rank', type: 'Int!' },
        { name: 'text', type: 'String' },
        { name: 'cost', type: 'Decimal' },
        { name: 'at', type: 'DateTime' },
        { name: 'place', type: 'Home' },
      ],
    },
    {
      name: 'Card',
      sql_source: 'v_card',
      relay: true,
      aggregate: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String!' },
        ...ANY_SCALAR,
        { name: 'home', type: 'Home' },
        { name: 'steps', type: '[Step!]' },
        relation('makers', '[Maker!]!', 'size', 'size'),
        through('friends', '[Maker!]!', 'size', 'pk_maker', ['tb_bond', 'fk_one', 'fk_other']),
        relation('maker', 'Maker', 'fk_maker', 'pk_maker'),
        relation('works', '[Work!]!', 'fk_maker', 'fk_maker'),
        relation('slot', 'Slot', ['fk_maker', 'size'], SLOT),
        relation('slots', '[Slot!]!', ['size', 'fk_maker'], ['over_place', 'shelf']),
      ],
    },
    {
      name: 'ThingMaker',
      sql_source: 'v_thing',
      implements: ['Thing'],
      fields: [...THING, { name: 'born', type: 'Date' }],
    },
    {
      name: 'ThingWork',
      sql_source: 'v_thing',
      implements: ['Thing'],
      fields: [...THING, { name: 'price', type: 'Decimal!' }, { name: 'kind', type: 'Kind!' }],
    },
  ],
  queries: [
    { name: 'makers', type: '[Maker!]!' },
    { name: 'maker', type: 'Maker', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'counted_makers', type: '[Maker!]!', auto_params: { total_count: true } },
    { name: 'maker_pages', type: '[Maker!]!', relay: true },
    {
      name: 'works',
      type: '[Work!]!',
      arguments: [
        { name: 'sold', type: 'Boolean' },
        { name: 'kind', type: 'Kind' },
        { name: 'year', type: 'Int' },
      ],
    },
    { name: 'work', type: 'Work', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'work_pages', type: '[Work!]!', relay: true, arguments: [{ name: 'sold', type: 'Boolean' }] },
    { name: 'parts', type: '[Part!]!' },
    { name: 'part', type: 'Part', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'slots', type: '[Slot!]!' },
    { name: 'slot', type: 'Slot', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'counted_parts', type: '[Part!]!', auto_params: { total_count: true } },
    {
      name: 'cards',
      type: '[Card!]!',
      arguments: [
        { name: 'mood', type: 'Mood' },
        { name: 'tags', type: '[String!]' },
      ],
    },
    { name: 'card', type: 'Card', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'card_pages', type: '[Card!]!', relay: true },
    { name: 'things', type: '[Thing!]!' },
    { name: 'counted_things', type: '[Thing!]!', auto_params: { total_count: true } },
    { name: 'anything', type: '[Anything!]!' },
  ],
}
