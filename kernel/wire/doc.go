// Package wire holds the messages of the Jupyter protocol, version 5.5, and
// their signing: no sockets, no behaviour.
//
// A request type is a row such as
//
//	var History = Request[HistoryRequest, HistoryReply]{"history_request"}
//
// which ties the two contents together, in a file of its own with their
// structs. https://jupyter-client.readthedocs.io/en/stable/messaging.html
// describes each message.
package wire
