import type { Chapter } from './option.ts'

/** Validation rules, and where they can stand. */
const RULES: Chapter = {
  title: 'Validation',
  proof: 'database',
  options: {
    'rule.required': '"Field is required"',
    'rule.pattern': '`pattern`, `message`: "Must match pattern"',
    'rule.length': '`min`, `max`: "Length between a and b", "at least a", "at most b"',
    'rule.range': '`min`, `max`: "Value between a and b", "at least a", "at most b"',
    'rule.enum': '`values`: "Must be one of: list"',
    'rule.checksum': '`luhn`, `mod97`: "Invalid algorithm-name"',
    'rule.cross_field': '`field`, `operator`: "Must be operator field"',
    'rule.conditional': '`condition`, `then_rules`',
    'rule.one_of': '`fields`: "Exactly one of [list] must be provided, but N were provided"',
    'rule.any_of': '`fields`: "At least one of [list] must be provided"',
    'rule.conditional_required': '`if_field_present`, `then_required`: "Since \'a\' is provided, …"',
    'rule.required_if_absent': '`absent_field`, `then_required`: "Since \'a\' is not provided, …"',
    'rule.all': 'Each failed rule is an error',
    'rule.any': '"At least one rule must pass"',
    'rule.min_length': '`min_length` of `svc.validate`',
    'rule.max_length': '`max_length` of `svc.validate`',
    'rule.minimum': '`minimum` of `svc.validate`',
    'rule.maximum': '`maximum` of `svc.validate`',
    'rule.custom': 'A function of the author’s',
    'rule.message': 'Text of the error',
    'rule.type': 'JSON form: `{ type, value }`',
    'rule.value': 'JSON form: `{ type, value }`',
    'rules.toml': '`[svc.validation]` of svc.toml, in shorthand and JSON form',
    'rules.nested': '`all`, `any` and `conditional` hold rules of any kind, inputs hold inputs',
    'rules.phases': 'Order of evaluation; all errors of the first phase that has any',
    'rules.before-sql': 'All rules run before SQL, of all root fields',
    'rules.shape': '`message`, `path`, `context`',
  },
}

/** Limits of documents: depth and complexity. */
const LIMITS: Chapter = {
  title: 'Limits of documents, before a statement runs',
  proof: 'any',
  options: {
    'validation.max_query_depth': 'Depth',
    'validation.max_query_complexity': 'Complexity: the sum of the weights of fields; lists weigh more',
  },
}

export const VALIDATION = [RULES, LIMITS]
