import t from 'tap'
import { blame, pluginOf } from '../../../../core/base/errors/blame.ts'

t.test('the first plugin that is blamed stays, and shines through causes', async (t) => {
  const error = new Error('inner')
  t.equal(blame(error, 'a'), error)
  t.equal(blame(error, 'b'), error)
  t.equal(pluginOf(error), 'a')
  t.equal(pluginOf(new Error('outer', { cause: error })), 'a')
  t.equal(pluginOf(new Error('nobody')), null)
  t.equal(pluginOf('text'), null)
})

t.test('a circle of causes ends', async (t) => {
  const one = new Error('one')
  one.cause = new Error('two', { cause: one })
  t.equal(pluginOf(one), null)
})
