import t from 'tap'
import { type IndexNeed, servedBy } from '../../../../core/advise/index-need.ts'
import type { ModelIndex, ModelRelation } from '../../../../core/contract/database-model.ts'

const index = (columns: readonly string[], more: Partial<ModelIndex> = {}): ModelIndex => ({
  name: 'i',
  columns,
  unique: false,
  method: 'btree',
  ...more,
})

function served(use: IndexNeed['use'], columns: readonly string[], given: ModelIndex, fixed: readonly string[] = []) {
  const relation = { kind: 'table', primaryKey: [], indexes: [given] } as unknown as ModelRelation
  return servedBy({ relation, columns, use, fixed: new Set(fixed) }, false)
}

t.test('equality is served by the first columns, in any order', async (t) => {
  t.equal(served('lookup', ['a'], index(['a', 'b'])), 'yes')
  t.equal(served('lookup', ['a'], index(['b', 'a'])), 'no')
  t.equal(served('lookup', ['a'], index(['b', 'a']), ['b']), 'yes')
  t.equal(served('lookup', ['a', 'b'], index(['b', 'a'])), 'yes')
  t.equal(served('lookup', ['a', 'b'], index(['a', 'c', 'b'])), 'no')
  t.equal(served('lookup', ['a', 'b'], index(['a'])), 'no')
  t.equal(served('lookup', ['a', 'b'], index(['a'], { unique: true })), 'yes', 'a finds one row')
  t.equal(served('lookup', ['a'], index(['a'], { method: 'hash' })), 'yes')
  t.equal(served('lookup', ['a'], index(['a'], { method: 'gin' })), 'no')
  t.equal(served('lookup', ['a'], index(['a'], { partial: true })), 'partial')
})

t.test('an order is served by the same columns in the same order', async (t) => {
  t.equal(served('order', ['a', 'b'], index(['a', 'b', 'c'])), 'yes')
  t.equal(served('order', ['a', 'b'], index(['b', 'a'])), 'no')
  t.equal(served('order', ['a', 'b'], index(['a'])), 'no')
  t.equal(served('order', ['a', 'b'], index(['a'], { unique: true })), 'yes')
  t.equal(served('order', ['a'], index(['t', 'a']), ['t']), 'yes')
  t.equal(served('order', ['a'], index(['t', 'a'])), 'no')
  t.equal(served('order', ['a'], index(['a'], { method: 'hash' })), 'no')
  t.equal(served('order', ['a'], index(['a'], { operatorClasses: ['text_pattern_ops'] })), 'no')
})

t.test('texts, JSON, lists and words need their method and operator class', async (t) => {
  const gin = (name: string | null) => index(['a'], { method: 'gin', operatorClasses: [name] })
  t.equal(served('prefix', ['a'], index(['a'])), 'no')
  t.equal(served('prefix', ['a'], index(['a'], { operatorClasses: ['text_pattern_ops'] })), 'yes')
  t.equal(served('prefix', ['a'], gin('gin_trgm_ops')), 'yes')
  t.equal(served('pattern', ['a'], gin('gin_trgm_ops')), 'yes')
  t.equal(served('pattern', ['a'], index(['a'], { operatorClasses: ['text_pattern_ops'] })), 'no')
  t.equal(served('json', ['a'], gin('jsonb_path_ops')), 'yes')
  t.equal(served('json', ['a'], gin(null)), 'yes')
  t.equal(served('json keys', ['a'], gin('jsonb_path_ops')), 'no')
  t.equal(served('json keys', ['a'], gin(null)), 'yes')
  t.equal(served('list', ['a'], gin(null)), 'yes')
  t.equal(served('list', ['a'], index(['a'])), 'no')
  t.equal(served('words', ['a'], index(['a'], { method: 'gist' })), 'yes')
  t.equal(served('words', ['a'], index(['a'])), 'no')
})
