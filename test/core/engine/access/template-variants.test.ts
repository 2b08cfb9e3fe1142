import t from 'tap'
import type { Access } from '../../../../core/contract/access.ts'
import { NO_ACCESS } from '../../../../core/engine/access/no-access.ts'
import { baseOf, variantOf } from '../../../../core/engine/access/template-variants.ts'
import { plansOf } from '../../../../core/engine/plan/plan-cache.ts'
import { testOperation } from '../../../../core/testing/testing.ts'

const seeing = (variant: string): Access => ({ ...NO_ACCESS, variant, key: variant })

function watched() {
  let bytes = 0
  const { template } = testOperation({ onPlanned: (more) => (bytes += more) })
  return { template, bytes: () => bytes }
}

t.test('one template per variant, with plans of its own', async (t) => {
  const { template } = watched()
  t.equal(variantOf(template, NO_ACCESS), template)
  const a = variantOf(template, seeing('a'))
  t.not(a, template)
  t.not(plansOf(a), plansOf(template))
  t.equal(plansOf(a), plansOf(a))
  t.not(plansOf({ ...a }), plansOf(a), 'a copy has none of them')
  t.equal(variantOf(template, seeing('a')), a)
  t.not(variantOf(template, seeing('b')), a)
  t.equal(baseOf(a), template)
  t.equal(
    variantOf(a, seeing('b')),
    variantOf(template, seeing('b')),
    'of the one that the front made, whichever is given',
  )
  t.equal(variantOf(a, NO_ACCESS), template)
})

t.test('variants are bounded, and weigh in the budget of their document', async (t) => {
  const { template, bytes } = watched()
  const first = variantOf(template, seeing('0'))
  first.onPlanned?.(5000)
  const one = bytes()
  t.ok(one > 5000)
  for (let i = 1; i < 32; i++) variantOf(template, seeing(String(i)))
  const full = bytes()
  t.equal(variantOf(template, seeing('0')), first, 'used: the youngest now')
  variantOf(template, seeing('32'))
  t.equal(bytes(), full, 'another one has gone')
  t.equal(variantOf(template, seeing('0')), first)
  for (let i = 100; i < 132; i++) variantOf(template, seeing(String(i)))
  t.not(variantOf(template, seeing('0')), first)
  t.ok(bytes() < full, 'what hung on it has gone with it')
  const after = bytes()
  first.onPlanned?.(700)
  t.equal(bytes(), after, 'and what is still made for it is counted nowhere')
  const before = bytes()
  const long = seeing('x'.repeat(3000))
  t.not(variantOf(template, long), variantOf(template, long), 'made for one request')
  t.equal(bytes(), before)
})
