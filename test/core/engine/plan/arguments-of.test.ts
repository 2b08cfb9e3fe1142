import t from 'tap'
import type { RootSelection, ValueNode } from '../../../../core/contract/operation.ts'
import { argumentsOf } from '../../../../core/engine/plan/values/arguments-of.ts'

const variable = (name: string): ValueNode => ({ kind: 'variable', name, type: {} as never })

t.test('the arguments of a root are those of the request', async (t) => {
  const values: Record<string, ValueNode> = {
    id: variable('id'),
    limit: { kind: 'constant', value: 5 },
    left: variable('absent'),
    cleared: variable('nothing'),
    where: {
      kind: 'object',
      fields: [
        { name: 'title', value: variable('title') },
        { name: 'gone', value: variable('absent') },
        { name: 'tags', value: { kind: 'list', items: [variable('title'), variable('absent')] } },
      ],
    },
  }
  const root: RootSelection = {
    kind: 'node',
    responseKey: 'node',
    arguments: Object.entries(values).map(([name, value]) => ({ name, value })),
    selection: null,
    location: null,
  }
  const given = argumentsOf(root, { id: '7', title: 'Ada', nothing: null })
  t.same(given, {
    id: '7',
    limit: 5,
    cleared: null,
    where: { title: 'Ada', tags: ['Ada', null] },
  })
  t.notOk('left' in given)
  t.equal(argumentsOf(root, { id: '8' }).id, '8', 'another request, other values')
  t.same(argumentsOf({ kind: 'typename', responseKey: 't', typeName: 'Query' }, {}), {})
})
