import type { PermissionAnswer, PermissionRequest, ToolID } from '../../../wasm/loader/taskyon.js';

/** Every question that the user was asked, and what the user says to a revision's. */
const questions: { readonly revision: ToolID; readonly text: string; readonly open: number }[] = [];
const wills = new Map<ToolID, string>();
let open = 0;

/** Says what is answered from now on: one of the answers, or `late`, a yes that comes when its call has ended. */
export function expects(revision: ToolID, will: string): void {
  wills.set(revision, will);
}

/** Gives a function that tells what was asked for a revision since, and how many questions were open at once. */
export function asked(revision: ToolID): () => readonly { readonly text: string; readonly open: number }[] {
  const from = questions.length;
  return () => questions.slice(from).filter((one) => one.revision === revision).map(({ text, open }) => ({ text, open }));
}

export async function onPermission({ revision, capability, scope, class: kind, credentials }: PermissionRequest): Promise<PermissionAnswer> {
  open++;
  questions.push({ revision, text: [capability, kind, scope, ...(credentials ?? [])].join(' '), open });
  try {
    const will = wills.get(revision) ?? 'deny';
    if (will !== 'late') return will as PermissionAnswer;
    await new Promise((done) => setTimeout(done, 600));
    return 'session';
  } finally {
    open--;
  }
}
