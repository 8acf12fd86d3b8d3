// Package secret keeps what a tool may use and never see. A user sets a secret for one revision and for the origins that may have it;
// tool code holds a placeholder; the host puts the value into the headers of a request to such an origin, and takes it out of whatever
// comes back.
//
// Laws.
//
//  1. A value leaves this package in one way only: in the headers that Call.Fill gives. No error, no listing and no formatting of any
//     type shows one.
//  2. A value is kept sealed, and bound to its revision, its name, its origins and its time: a row that was moved or edited does not
//     open. An older row in place of a newer one does.
//  3. A placeholder is of one call. Its random part cannot be guessed, and means nothing in another call.
//  4. A placeholder that stands where no secret may go is refused, and nothing is sent.
//
// What scrubbing is worth. A value is found in what a server sends in the encodings that servers use by themselves (see patterns and
// views). A server that has the secret and wants the tool to have it too can always tell it in another way: the origins of a secret are
// trusted with it. A short value can be guessed: a tool that can have text of its own come back sees which part of it was taken out.
// So a value below ShortBytes is taken out only where it stands alone, with no letter or digit beside it: taking out every `a` would
// destroy each text and protect nothing. Escapes are undone once: of a text that was escaped twice, the value is found where the
// second time has changed nothing of it. Base64 that was folded is found within one line. A value is looked for in one text at a time:
// pieces of it in several texts are not found.
package secret
