/**
 * Key id of tokens that svc issues. Another holder of the configured key could use it too. A token of another issuer with this id does not
 * count as a token of svc.
 */
export const OWN_KEY = 'svc'
